// What the server finds out about the position on the table, and positions that somebody sets up for that.
const findWinning = async (table) => {
  const { variant, moves, starter } = table;
  byId("hint-said").textContent = "Looking …";
  const told = await post("solve/position", { variant: variant.name, moves, starter });
  if (moves !== table.moves) return; // somebody has moved
  byId("hint-said").textContent = told.said ?? told.refused;
  table.mark(told.winning ?? []);
};

const makeSolving = (data, table) => {
  const sayTurn = () => {
    const { moves, variant } = table;
    const [mover, other] = moves.length % 2 ? [...variant.stones].reverse() : variant.stones;
    say(table.legal().length ? `${mover} is to move` : `${mover} has no move, ${other} has won`, []);
    setAble("undo", moves.length > 0);
    setAble("clear", moves.length > 0);
  };
  // Show a position; the address is the position.
  const setUp = (moves) => {
    table.forget();
    table.put(moves);
    history.replaceState(null, "", writeHash({ variant: table.variant.name, moves: moves.join(".") }));
    sayTurn();
  };
  const choose = (cell) => {
    const { moves, variant } = table;
    if (table.legal().includes(cell)) setUp([...moves, cell]);
    else refuse(`${variant.names[cell]} is not open to ${variant.stones[moves.length % 2]}.`);
  };
  const undo = () => table.moves.length && setUp(table.moves.slice(0, -1));
  const clear = () => table.moves.length && setUp([]);
  const start = () => {
    byId("now").hidden = false;
    byId("during").hidden = !data.canSolve;
    sayTurn();
  };
  return { start, setUp, choose, undo, clear, canChoose: () => data.canSolve, isBusy: () => false };
};
