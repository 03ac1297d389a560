// The board of the page with the moves that were made on it, and what is said beside it: of a game, or of a position
// that somebody sets up. Whoever does either takes a seat: `canChoose()`, `choose(cell)` and `isBusy()` are asked of it.
const chosenVariant = () => Number(byId("variant").value);

const sayStatus = (text) => {
  byId("games-status").textContent = text;
};
const say = (head, said) => {
  if (byId("head").textContent !== head) byId("head").textContent = head;
  if (said) byId("said").replaceChildren(...said.map((text) => make("p", text)));
};
const refuse = (text) => {
  byId("refusal").textContent = text;
};

const makeTable = (data) => {
  const templates = document.querySelectorAll("template.board");
  let [reader, board, keys] = [null, null, null];
  let starter = 1; // the player who moves first
  let [moves, winning] = [[], []];

  const legal = () => legalMoves({ variant: board.variant, cells: moves }, moves.length);
  const show = () => {
    board.show(moves, winning, `${board.variant.name}, after ${moves.length} moves`);
    board.svg.classList.toggle("busy", reader.isBusy());
    keys.tell(reader.canChoose() ? legal() : []);
  };
  // Show other moves. Each time it is another list, so that who asked about one sees whether it is still shown.
  const put = (next) => {
    [moves, winning] = [next, []];
    show();
  };
  const mark = (cells) => {
    winning = cells;
    show();
  };
  // Have the board of the chosen variant, as it looks when this player moves first.
  const lay = (player, next) => {
    starter = player;
    const variant = seatVariant(data.variants, chosenVariant(), starter);
    board = makeBoard(byId("play-board"), templates[variant.stage], variant);
    keys = makeChoosable(board, (cell) => reader.canChoose() && reader.choose(cell));
    put(next);
  };
  const forget = () => {
    winning = [];
    byId("hint-said").textContent = "";
    refuse("");
    sayStatus("");
  };
  const focus = () => {
    keys.focus();
    board.svg.scrollIntoView({ block: "nearest" });
  };
  const seat = (next) => {
    reader = next;
    lay(1, []);
  };
  PHONE.addEventListener("change", () => lay(starter, moves));
  return {
    seat, lay, put, mark, show, forget, focus, legal,
    get variant() { return board.variant; },
    get starter() { return starter; },
    get moves() { return moves; },
  };
};
