// The page on which one plays against a bot, and has positions solved: its lists, buttons and address. The server keeps
// a game and judges it; the page shows it, and knows the rules only to show a move before the answer comes.
const readHash = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

const fillLists = (data) => {
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
};

// The page is one of two, of which each has parts that the other has not.
const choosePage = (data, isSolving) => {
  const isOn = isSolving ? data.canSolve : data.canPlay;
  for (const each of document.querySelectorAll(".of-play")) each.hidden = isSolving || !isOn;
  for (const each of document.querySelectorAll(".off")) each.hidden = (each.dataset.of === "solve") !== isSolving;
  byId(isSolving ? "to-solve" : "to-play").setAttribute("aria-current", "page");
  byId("play-title").textContent = isSolving ? "Who wins this position?" : "Play against a bot";
  if (isSolving) byId("how").textContent = "Set up a position: click or tap cells, for both players in turn.";
  byId("hint").textContent = isSolving ? "Who wins?" : "Winning moves";
  byId("hint").classList.toggle("main", isSolving);
  byId("hint").hidden = !data.canSolve;
  byId("how-to-move").hidden = !isSolving || !isOn;
  byId("undo").hidden = byId("clear").hidden = !isSolving;
  byId("give-up").hidden = isSolving;
};

const describe = (variant, isSolving) => {
  byId("rules-title").textContent = variant.title;
  byId("rules").textContent = variant.rules;
  variant.stones.forEach((stone, side) => (byId(`stone-${side + 1}`).textContent = stone));
  byId("about-stones").hidden = variant.closes[0] === variant.closes[1]; // what is closed is closed to both
  byId("starts").hidden = isSolving || !variant.isStartAgreed;
  byId("starts-said").hidden = isSolving || variant.isStartAgreed;
};

// What shows the finished game of a link.
const makeReplaying = (data) => {
  let viewer = null;
  return async (asked) => {
    const found = readGame(data, asked);
    if (typeof found === "string") return sayStatus(found);
    viewer ??= makeViewer(data, { beside: () => undefined }, ({ asked: of }, ply) => ({ ...of, ply }));
    const { ply, ...of } = asked;
    const isAwaited = data.canSolve && found.winner !== null && found.cells.length > 0;
    const shown = { ...found, asked: of, isAwaited };
    byId("table").hidden = true;
    byId("replay").hidden = false;
    viewer.show(shown, Number(ply ?? 0) || 0);
    if (!isAwaited) return undefined;
    const told = await post("solve/game", { variant: of.variant, moves: shown.cells, winner: shown.winner });
    viewer.learn(shown, told.verdicts?.split(" ") ?? []);
    return undefined;
  };
};

const copyLink = async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    sayStatus("The link is copied.");
  } catch {
    sayStatus("The link is the address of this page.");
  }
};

const startPlaying = async () => {
  const data = JSON.parse(await unpackText(byId("play-data").content.textContent));
  const isSolving = location.pathname.endsWith("/solve");
  const table = makeTable(data);
  const playing = makePlaying(data, table);
  const solving = makeSolving(data, table);
  const replay = makeReplaying(data);

  const offer = () => {
    playing.leave();
    history.replaceState(null, "", location.pathname);
    byId("replay").hidden = true;
    byId("table").hidden = false;
  };
  const layChosen = () => {
    describe(data.variants[chosenVariant()], isSolving);
    table.lay(1, []);
  };
  const setUpLinked = (asked) => {
    const found = readGame(data, asked);
    if (typeof found === "string") {
      sayStatus(found);
      return;
    }
    byId("variant").value = found.variant.number;
    layChosen();
    solving.setUp(found.cells);
  };
  const route = () => {
    const asked = readHash();
    if (asked.variant === undefined) return;
    if (isSolving) setUpLinked(asked);
    else replay(asked);
  };
  const onClick = {
    begin: playing.sit, again: playing.sit, swap: playing.swap, "go-further": playing.goFurther,
    another: offer, "give-up": offer, "replay-new": offer, hint: () => findWinning(table),
    step: () => replay(Object.fromEntries(new URLSearchParams(writeHash(playing.link()).slice(1)))),
    "copy-link": copyLink, undo: solving.undo, clear: solving.clear,
  };
  for (const [id, action] of Object.entries(onClick)) byId(id).addEventListener("click", action);
  byId("variant").addEventListener("change", () => {
    layChosen();
    if (isSolving) solving.setUp([]);
  });
  addEventListener("pagehide", playing.sayLeft);
  addEventListener("hashchange", route);

  fillLists(data);
  choosePage(data, isSolving);
  describe(data.variants[chosenVariant()], isSolving);
  byId("table").hidden = false;
  table.seat(isSolving ? solving : playing);
  if (isSolving) solving.start();
  route();
};

if (byId("play")) startPlaying();
