// The viewer: one game on its board, ply by ply.

// For browsers that let no page from the disk use the clipboard.
const copyByHand = (text) => {
  const field = document.createElement("textarea");
  field.value = text;
  byId("copy").after(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  byId("copy").focus();
};

// Who wins with perfect play after every ply: high if the first side does, low if the second, else between.
const drawCurve = (svg, game) => {
  const wide = 100 / (game.lastPly + 1);
  const height = (ply) => ({ 0: 12, 1: 52 })[winnerAfter(game, ply)] ?? 32;
  const parts = [svgPart("line", { class: "now", y1: 0, y2: 64 })];
  parts.push(svgPart("rect", { class: "opening", x: 0, y: 0, width: `${wide * game.openingPlies}%`, height: 64 }));
  for (let ply = game.openingPlies; ply <= game.lastPly; ply += 1) {
    const [left, y] = [`${wide * ply}%`, height(ply)];
    const kind = winnerAfter(game, ply) === null ? "step unknown" : "step";
    parts.push(svgPart("line", { class: kind, x1: left, x2: `${wide * (ply + 1)}%`, y1: y, y2: y }));
    if (ply > game.openingPlies && height(ply - 1) !== y) {
      parts.push(svgPart("line", { class: "step", x1: left, x2: left, y1: height(ply - 1), y2: y }));
    }
    if (gradeOf(game, ply) === "thrown away") parts.push(svgPart("circle", { class: "blunder", cx: left, cy: 32, r: 5 }));
  }
  svg.replaceChildren(...parts);
};

const moveCurve = (svg, game, ply) => {
  const at = `${(100 * (ply + 0.5)) / (game.lastPly + 1)}%`;
  svg.firstChild.setAttribute("x1", at);
  svg.firstChild.setAttribute("x2", at);
};

const makeMove = (game, ply, go) => {
  const item = document.createElement("li");
  const button = make("button", "");
  const grade = gradeOf(game, ply);
  const isMove = ply <= game.cells.length;
  button.type = "button";
  button.append(make("span", ply, "number"), make("span", isMove ? game.variant.stones[(ply - 1) % 2] : "", SIDES[(ply - 1) % 2]));
  button.append(make("span", isMove ? cellName(game, ply) : "forfeit", "cell-name"));
  button.append(make("span", MARKS[grade] ?? "", "mark-sign"), make("span", grade === "awaited" ? "" : grade, "mark-word"));
  button.addEventListener("click", () => go(ply));
  item.className = grade.replace(" ", "-");
  item.append(button);
  return item;
};

// `addressOf` says what the address asks for when a ply of a game is shown.
const makeViewer = (data, list, addressOf = (game, ply) => ({ game: game.id, ply })) => {
  const viewer = byId("viewer");
  const templates = document.querySelectorAll("template.board");
  let game = null;
  let board = null;
  let ply = 0;
  let timer = 0;

  const go = (to) => {
    ply = Math.min(Math.max(to, 0), game.lastPly);
    const winning = byId("show-winning").checked ? winningMoves(game, ply) : [];
    const said = sayPly(game, ply);
    board.show(game.cells.slice(0, ply), winning, `${game.variant.name}, ${said}`);
    byId("sentence").textContent = said;
    byId("ply").value = ply;
    byId("ply").setAttribute("aria-valuetext", `ply ${ply} of ${game.lastPly}`);
    moveCurve(byId("curve"), game, ply);
    showCurrentMove();
    for (const id of ["go-start", "go-back"]) setAble(id, ply > 0);
    for (const id of ["go-end", "go-on"]) setAble(id, ply < game.lastPly);
    setAble("blunder-back", findBlunder(-1) !== undefined);
    setAble("blunder-on", findBlunder(1) !== undefined);
    setHash(addressOf(game, ply));
  };
  const showCurrentMove = () => {
    const items = [...byId("moves").children];
    items.forEach((item, at) => item.firstChild.setAttribute("aria-current", String(at + 1 === ply)));
    const moves = byId("moves").parentElement;
    const item = items[ply - 1];
    // By hand: scrollIntoView would also move the page.
    if (item) moves.scrollTop = item.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  };
  const findBlunder = (by) => {
    const plies = by > 0 ? blundersOf(game) : blundersOf(game).reverse();
    return plies.find((each) => (by > 0 ? each > ply : each < ply));
  };
  const goToBlunder = (by) => go(findBlunder(by) ?? ply);
  const setPlaying = (isOn) => {
    clearInterval(timer);
    timer = isOn ? setInterval(playOn, Number(byId("speed").value)) : 0;
    byId("go-play").textContent = isOn ? "❚❚" : "▶";
    byId("go-play").setAttribute("aria-label", isOn ? "pause" : "play");
    byId("sentence").setAttribute("aria-live", isOn ? "off" : "polite"); // nobody can listen so fast
  };
  const playOn = () => {
    go(ply + 1);
    if (ply === game.lastPly) setPlaying(false);
  };
  const togglePlaying = () => {
    if (!timer && ply === game.lastPly) go(game.openingPlies);
    setPlaying(!timer);
  };
  const goToGame = (by) => {
    const number = list.beside(game.number, by);
    if (number !== undefined) location.hash = writeHash({ game: data.games.game[number] });
  };
  const copy = async () => {
    const isOnDisk = location.protocol === "file:"; // where the sender keeps it is nobody else's
    const address = isOnDisk ? location.pathname.split("/").pop() + location.hash : location.href;
    const text = `${writeGame(game)}${address}\n`;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyByHand(text);
    }
    byId("games-status").textContent = "The game is copied as text.";
  };

  const drawVerdicts = () => {
    byId("of-unknown").hidden = byId("of-unknown").nextElementSibling.hidden = game.isAwaited === true;
    byId("of-awaited").hidden = byId("of-awaited").nextElementSibling.hidden = !game.isAwaited;
    drawCurve(byId("curve"), game);
    byId("moves").replaceChildren(...pliesOf(game).map((each) => makeMove(game, each, go)));
  };
  // Show what the moves of a game were worth, which was awaited when it was opened; no verdicts if nobody can say.
  const learn = (of, verdicts) => {
    of.verdicts = verdicts;
    of.isAwaited = false;
    if (game !== of) return;
    drawVerdicts();
    go(ply);
  };

  const show = (next, from) => {
    setPlaying(false);
    game = next;
    if (board?.variant !== game.variant) {
      board = makeBoard(byId("board"), templates[game.variant.stage ?? data.variants.indexOf(game.variant)], game.variant);
    }
    const [first, second] = game.variant.stones;
    byId("game-title").textContent = `${game.bots[0]} (${first}) against ${game.bots[1]} (${second})`;
    const about = game.id ? `${game.variant.name}, opening ${game.opening}, game ${game.id}. ${sayCpus(game)}` : game.variant.name;
    byId("game-facts").textContent = `${about}. ${sayEnd(game)}`;
    byId("ply").max = game.lastPly;
    byId("curve-first").textContent = `${first} ${game.bots[0]}`;
    byId("curve-second").textContent = `${second} ${game.bots[1]}`;
    drawVerdicts();
    byId("printed").hidden = !game.printed;
    byId("printed").querySelector("pre").textContent = game.printed;
    setAble("game-back", list.beside(game.number, -1) !== undefined);
    setAble("game-on", list.beside(game.number, 1) !== undefined);
    viewer.hidden = false;
    go(from);
    viewer.focus({ preventScroll: true });
    viewer.scrollIntoView({ block: "start" });
  };

  const onClick = {
    "go-start": () => go(0), "go-back": () => go(ply - 1), "go-play": togglePlaying,
    "go-on": () => go(ply + 1), "go-end": () => go(game.lastPly),
    "blunder-back": () => goToBlunder(-1), "blunder-on": () => goToBlunder(1),
    "game-back": () => goToGame(-1), "game-on": () => goToGame(1), copy,
  };
  for (const [id, action] of Object.entries(onClick)) byId(id).addEventListener("click", action);
  byId("ply").addEventListener("input", () => go(Number(byId("ply").value)));
  byId("show-winning").addEventListener("change", () => go(ply));
  byId("speed").addEventListener("change", () => setPlaying(timer !== 0));
  byId("curve").addEventListener("click", (event) => {
    const { left, width } = byId("curve").getBoundingClientRect();
    go(Math.floor(((event.clientX - left) / width) * (game.lastPly + 1)));
  });
  const onKey = {
    ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(game.lastPly),
    n: () => goToBlunder(1), p: () => goToBlunder(-1), w: () => byId("show-winning").click(),
  };
  viewer.addEventListener("keydown", (event) => {
    const isOther = event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT";
    const isSliders = event.target === byId("ply") && event.key.length > 1; // it has arrow keys of its own
    if (event.key === " " && event.target === viewer) {
      event.preventDefault(); // which would scroll the board away
      togglePlaying();
      return;
    }
    if (isOther || isSliders || !Object.hasOwn(onKey, event.key)) return;
    event.preventDefault();
    setPlaying(false);
    onKey[event.key]();
  });
  return { show, learn };
};
