// The page on which one plays against a bot, and has positions solved. The server keeps a game and judges it; the page
// shows it, and knows the rules only to show a move before the answer comes.
const NO_ANSWER = "The server does not answer.";

const post = async (path, values) => {
  try {
    const response = await fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values),
    });
    const told = await response.json();
    return response.ok ? told : { ...told, status: response.status };
  } catch {
    return { refused: NO_ANSWER, status: 0 };
  }
};

const startPlaying = async () => {
  const data = JSON.parse(await unpackText(byId("play-data").content.textContent));
  const templates = document.querySelectorAll("template.board");
  const isSolving = location.pathname.endsWith("/solve");
  const isOn = isSolving ? data.canSolve : data.canPlay;
  let viewer = null;
  let board = null;
  let keys = null;
  let moves = [];
  let winning = [];
  let game = null; // what the server has said of it last
  let seats = null; // who plays, as it was sent
  let question = 0; // about games: the number of the last one
  let isBusy = false;
  const tell = (text) => {
    byId("games-status").textContent = text;
  };

  // What is chosen.
  const number = () => Number(byId("variant").value);
  const checked = (name) => document.querySelector(`input[name="${name}"]:checked`).value;
  const starter = () => seats?.starter ?? 1;
  const isOver = () => !openCells(board.variant, moves)[moves.length % 2].includes(1);
  const isYours = () => game !== null && !isBusy && game.winner === null && moves.length % 2 === game.side;

  const show = () => {
    const open = openCells(board.variant, moves)[moves.length % 2];
    const legal = [...open.keys()].filter((cell) => open[cell]);
    const isOpen = isSolving ? isOn : isYours();
    board.show(moves, winning, `${board.variant.name}, after ${moves.length} moves`);
    board.svg.classList.toggle("busy", isBusy);
    keys.tell(isOpen ? legal : []);
  };
  const setBoard = () => {
    const variant = seatVariant(data.variants, number(), starter());
    board = makeBoard(byId("play-board"), templates[variant.stage], variant);
    keys = makeChoosable(board, choose);
    winning = [];
    show();
  };
  const describe = () => {
    const variant = data.variants[number()];
    byId("rules-title").textContent = variant.title;
    byId("rules").textContent = variant.rules;
    variant.stones.forEach((stone, side) => (byId(`stone-${side + 1}`).textContent = stone));
    byId("starts").hidden = isSolving || !variant.isStartAgreed;
    byId("starts-said").hidden = isSolving || variant.isStartAgreed;
  };

  // Playing.
  const say = (head, said) => {
    if (byId("head").textContent !== head) byId("head").textContent = head;
    if (said) byId("said").replaceChildren(...said.map((text) => make("p", text)));
  };
  const showParts = ({ isPlaying, isDone = false, isLost = false }) => {
    byId("setup").hidden = isPlaying && !isSolving;
    byId("now").hidden = !isPlaying;
    byId("during").hidden = !isOn || !isPlaying || isDone || isLost;
    byId("after").hidden = !isDone;
    byId("lost").hidden = !isLost;
    byId("hint").hidden = !data.canSolve;
    byId("undo").hidden = byId("clear").hidden = !isSolving;
    byId("give-up").hidden = isSolving;
  };
  const forget = () => {
    winning = [];
    byId("hint-said").textContent = byId("refusal").textContent = "";
    tell("");
  };
  const take = (told) => {
    game = told;
    moves = [...told.moves];
    say(told.head, told.said);
    byId("refusal").textContent = told.refusal ?? "";
    showParts({ isPlaying: true, isDone: told.winner !== null });
    if (told.winner !== null) setHash(linkOf());
    show();
  };
  const lose = (told) => {
    byId("lost-said").textContent = told.refused;
    say("This game has stopped");
    showParts({ isPlaying: true, isLost: true });
    show();
  };
  const sendLeft = (id) => {
    navigator.sendBeacon("play/leave", new Blob([JSON.stringify({ game: id })], { type: "application/json" }));
  };
  // Only the answer to the last question counts, and whoever leaves a game asks no more: null if it came too late.
  // If it tells of another game than the page has, nobody plays that one, and the server hears that its place is free.
  const ask = async (path, values) => {
    question += 1;
    const number = question;
    const told = await post(path, values);
    if (number === question) {
      isBusy = false;
      return told;
    }
    if (told.game && told.game !== game?.game) sendLeft(told.game);
    return null;
  };
  const begin = async (opening) => {
    if (isBusy) return;
    isBusy = true;
    const before = game?.game ?? "";
    forget();
    moves = [...opening];
    setBoard();
    const bot = seats.bot;
    const stones = data.variants[number()].stones;
    byId("seats").textContent = `You are Player ${seats.player} (${stones[seats.player - 1]}), ${bot} has ${stones[2 - seats.player]}. ${seats.coin}`;
    say(`${bot} sits down …`, []);
    showParts({ isPlaying: true });
    const { coin, ...sent } = seats;
    const told = await ask("play/begin", { ...sent, variant: board.variant.name, moves, instead: before });
    if (told === null) return;
    if (told.status === undefined) {
      take(told);
      keys.focus();
      board.svg.scrollIntoView({ block: "nearest" });
    } else if (moves.length) {
      lose(told);
    } else {
      game = null;
      showParts({ isPlaying: false });
      tell(told.refused);
      show();
    }
  };
  const claim = async (cell) => {
    const open = openCells(board.variant, moves)[game.side];
    const ply = moves.length;
    const asked = { game: game.game, ply, cell };
    forget();
    if (open[cell]) {
      moves.push(cell);
      isBusy = true;
      say(`${seats.bot} is thinking …`);
      show();
    }
    const told = await ask("play/move", asked);
    if (told === null) return;
    if (told.status === undefined) take(told);
    else if (told.status === 429) {
      moves.length = ply;
      say(game.head);
      byId("refusal").textContent = told.refused;
      show();
    } else lose(told);
  };
  const choose = (cell) => {
    if (isSolving && isOn) setUp(cell);
    else if (isYours()) claim(cell);
  };
  const leave = () => {
    if (game?.winner === null) sendLeft(game.game);
  };
  const offer = () => {
    leave();
    question += 1;
    isBusy = false;
    game = seats = null;
    moves = [];
    forget();
    history.replaceState(null, "", location.pathname);
    byId("replay").hidden = true;
    byId("table").hidden = false;
    showParts({ isPlaying: false });
    setBoard();
  };

  // Solving.
  const sayTurn = () => {
    const [mover, other] = moves.length % 2 ? [...board.variant.stones].reverse() : board.variant.stones;
    say(isOver() ? `${mover} has no move, ${other} has won` : `${mover} is to move`, []);
    setAble("undo", moves.length > 0);
    setAble("clear", moves.length > 0);
  };
  const setPosition = (next) => {
    moves = next;
    forget();
    history.replaceState(null, "", writeHash({ variant: board.variant.name, moves: moves.join(".") }));
    sayTurn();
    show();
  };
  const setUp = (cell) => {
    if (openCells(board.variant, moves)[moves.length % 2][cell]) setPosition([...moves, cell]);
    else byId("refusal").textContent = `${board.variant.names[cell]} is not open to ${board.variant.stones[moves.length % 2]}.`;
  };
  const findWinning = async () => {
    const asked = { variant: board.variant.name, moves: [...moves], starter: starter() };
    byId("hint-said").textContent = "Looking …";
    const told = await post("solve/position", asked);
    if (String(asked.moves) !== String(moves) || asked.variant !== board.variant.name) return; // somebody has moved
    winning = told.winning ?? [];
    byId("hint-said").textContent = told.said ?? told.refused;
    show();
  };

  // The finished game as a link, and what such a link shows.
  const linkOf = () => {
    const bots = [0, 1].map((side) => (side === game.side ? "" : seats.bot));
    const asked = { variant: board.variant.name, first: bots[0], second: bots[1], starter: seats.starter, moves: moves.join(".") };
    return game.ending === "no-moves" ? asked : { ...asked, ending: game.ending };
  };
  const replay = async (asked) => {
    const found = readGame(data, asked);
    if (typeof found === "string") return tell(found);
    viewer ??= makeViewer(data, { beside: () => undefined }, ({ asked: of }, ply) => ({ ...of, ply }));
    const { ply, ...of } = asked;
    const shown = { ...found, asked: of };
    byId("table").hidden = true;
    byId("replay").hidden = false;
    viewer.show(shown, Number(ply ?? 0) || 0);
    if (!data.canSolve || shown.winner === null || !shown.cells.length) return undefined;
    const told = await post("solve/game", { variant: of.variant, moves: shown.cells, winner: shown.winner });
    if (told.verdicts) viewer.learn(shown, told.verdicts.split(" "));
    return undefined;
  };
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell("The link is copied.");
    } catch {
      tell("The link is the address of this page.");
    }
  };

  // The page.
  const sit = () => {
    const tossed = checked("starter") === "coin";
    const isAgreed = data.variants[number()].isStartAgreed;
    const first = tossed ? 1 + Math.floor(2 * Math.random()) : Number(checked("starter"));
    seats = { bot: byId("bot").value, player: Number(checked("player")), starter: isAgreed ? first : 1 };
    seats.coin = tossed && isAgreed ? `The coin says: Player ${first} moves first.` : "";
    begin([]);
  };
  const swap = () => {
    const other = document.querySelector(`input[name="player"][value="${3 - seats.player}"]`);
    other.checked = true;
    sit();
  };
  const fill = () => {
    const groups = { "This run": true, "Rule books": false };
    for (const [label, isOwn] of Object.entries(groups)) {
      const group = document.createElement("optgroup");
      group.label = label;
      data.variants.forEach((variant, at) => {
        if (variant.isOwn === isOwn) group.append(new Option(variant.name, at));
      });
      if (group.children.length) byId("variant").append(group);
    }
    byId("bot").append(...data.bots.map((bot) => new Option(bot, bot)));
    for (const each of document.querySelectorAll(".of-play")) each.hidden = isSolving || !isOn;
    for (const each of document.querySelectorAll(".off")) each.hidden = (each.dataset.of === "solve") !== isSolving;
    byId(isSolving ? "to-solve" : "to-play").setAttribute("aria-current", "page");
    byId("play-title").textContent = isSolving ? "Who wins this position?" : "Play against a bot";
    if (isSolving) byId("how").textContent = "Set up a position: click or tap cells, for both players in turn.";
    byId("hint").textContent = isSolving ? "Who wins?" : "Winning moves";
    byId("hint").classList.toggle("main", isSolving);
  };
  const onClick = {
    begin: sit, again: sit, swap, another: offer, "give-up": offer, "replay-new": offer, hint: findWinning,
    step: () => replay(Object.fromEntries(new URLSearchParams(writeHash(linkOf()).slice(1)))),
    "copy-link": copyLink, "go-further": () => begin(moves),
    undo: () => moves.length && setPosition(moves.slice(0, -1)), clear: () => moves.length && setPosition([]),
  };
  for (const [id, action] of Object.entries(onClick)) byId(id).addEventListener("click", action);
  byId("variant").addEventListener("change", () => {
    describe();
    moves = [];
    setBoard();
    if (isSolving) setPosition([]);
  });
  PHONE.addEventListener("change", setBoard);
  addEventListener("pagehide", leave);
  const route = () => {
    const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (asked.variant === undefined) return;
    if (!isSolving) {
      replay(asked);
      return;
    }
    const found = readGame(data, asked);
    if (typeof found === "string") {
      tell(found);
      return;
    }
    byId("variant").value = found.variant.number;
    describe();
    setBoard();
    setPosition(found.cells);
  };
  fill();
  describe();
  byId("table").hidden = false;
  setBoard();
  showParts({ isPlaying: isSolving });
  if (isSolving) sayTurn();
  route();
  addEventListener("hashchange", route);
};

if (byId("play")) startPlaying();
