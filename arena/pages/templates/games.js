// The games of the page as they were packed (pages/packing.py), and what is to be said of them. Draws nothing.
const MARKS = { kept: "✓", "thrown away": "??", forced: "□", "lost anyway": "·", unknown: "?", awaited: "…", opening: "" };
const SAID = {
  kept: "keeps the win",
  "thrown away": "throws the win away",
  forced: "wins, as with any other move",
  "lost anyway": "was lost anyway",
  unknown: "what it is worth is not known",
  awaited: "what it is worth is being worked out",
};
const MOST_NAMED = 8; // winning moves in a sentence

// One game; a ply is counted from 1, and ply 0 is the empty board. A forfeit is one more ply without a move.
const makeGame = (data, number) => {
  const column = (name) => data.games[name][number];
  const variant = data.variants[column("variant")];
  const id = column("game");
  const cells = column("moves") === "" ? [] : column("moves").split(" ").map(Number);
  const ending = data.endings[column("ending")];
  const isForfeit = ending !== "no-moves";
  return {
    number, id, variant, cells, ending, isForfeit,
    opening: column("opening"),
    bots: [data.bots[column("first")], data.bots[column("second")]],
    winner: column("winner"),
    openingPlies: column("openingPlies"),
    verdicts: column("verdicts").split(" "),
    cpu: [column("firstCpu"), column("secondCpu")],
    detail: data.details[id] ?? "",
    printed: data.printed[id] ?? "",
    lastPly: cells.length + (isForfeit ? 1 : 0),
  };
};

// What each side may still claim after some moves, a 1 for each cell: the rules, in three lines.
const openCells = (variant, cells) => {
  const open = [0, 1].map(() => new Uint8Array(variant.points.length).fill(1));
  cells.forEach((cell, ply) => {
    const [mine, yours] = [open[ply % 2], open[1 - (ply % 2)]];
    mine[cell] = yours[cell] = 0;
    for (const other of variant.neighbours[cell]) {
      if (variant.closes[0]) mine[other] = 0;
      if (variant.closes[1]) yours[other] = 0;
    }
  });
  return open;
};

const verdictAfter = (game, ply) => game.verdicts[ply - game.openingPlies] ?? "?";

// The side that wins with perfect play after a ply; null if that is not known.
const winnerAfter = (game, ply) => {
  if (ply > game.cells.length) return game.winner;
  const verdict = verdictAfter(game, ply);
  if (verdict === "?") return null;
  return verdict === "-" ? 1 - (ply % 2) : ply % 2;
};

const legalMoves = (game, ply) => {
  const open = openCells(game.variant, game.cells.slice(0, ply))[ply % 2];
  return [...open.keys()].filter((cell) => open[cell]);
};

// The moves that are known to win after a ply: cells.
const winningMoves = (game, ply) => {
  const verdict = verdictAfter(game, ply);
  if (ply > game.cells.length || verdict === "?" || verdict === "-") return [];
  const bits = verdict.replace("?", "");
  const isSet = (at) => (parseInt(bits.at(-1 - (at >> 2)) ?? "0", 16) >> (at & 3)) & 1;
  return legalMoves(game, ply).filter((_, at) => verdict === "=" || isSet(at));
};

// What a ply was worth: the words of `arena replay --grade`; "awaited" if somebody is still finding that out.
const gradeOf = (game, ply) => {
  if (ply <= game.openingPlies) return "opening";
  const mover = (ply - 1) % 2;
  const before = verdictAfter(game, ply - 1);
  if (ply > game.cells.length && mover === game.winner) return ""; // the loser did not even start
  if (before === "?") return game.isAwaited ? "awaited" : "unknown";
  if (before === "-") return "lost anyway";
  if (winnerAfter(game, ply) !== mover) return "thrown away";
  if (before === "=") return "forced";
  return before.endsWith("?") ? "unknown" : "kept";
};

const pliesOf = (game) => [...Array(game.lastPly).keys()].map((at) => at + 1);
const blundersOf = (game) => pliesOf(game).filter((ply) => gradeOf(game, ply) === "thrown away");

const moverOf = (game, ply) => game.bots[(ply - 1) % 2];
const cellName = (game, ply) => game.variant.names[game.cells[ply - 1]];

// Which moves would have won, or did; behind the grade of a ply where the choice mattered.
const sayWinning = (game, ply, most = MOST_NAMED) => {
  const winning = winningMoves(game, ply - 1).map((cell) => game.variant.names[cell]);
  const more = winning.length > most ? ` and ${winning.length - most} more` : "";
  const named = winning.slice(0, most).join(", ") + more;
  const grade = gradeOf(game, ply);
  if (grade === "thrown away") return `; ${named || "another move, which is not known,"} would have won`;
  const legal = legalMoves(game, ply - 1).length;
  return grade === "kept" && named ? `; ${winning.length} of ${legal} moves win: ${named}` : "";
};

const sayEnd = (game) => {
  if (game.winner === null) return "The game was left here.";
  const [winner, loser] = [game.bots[game.winner], game.bots[1 - game.winner]];
  if (!game.isForfeit) return `${loser} has no move left; ${winner} wins.`;
  return `${loser} forfeits by ${game.ending}${game.detail && `, ${game.detail}`}; ${winner} wins.`;
};

// A ply in words.
const sayPly = (game, ply) => {
  if (ply === 0) return `The empty board; ${game.bots[0]} (${game.variant.stones[0]}) is first.`;
  const [grade, which] = [gradeOf(game, ply), sayWinning(game, ply)];
  if (ply > game.cells.length) return `ply ${ply}: ${sayEnd(game)}${which && ` It was winning${which}.`}`;
  if (grade === "opening") {
    return `ply ${ply}, of the opening: ${game.variant.stones[(ply - 1) % 2]} on ${cellName(game, ply)}.`;
  }
  const end = ply === game.cells.length && !game.isForfeit ? ` ${sayEnd(game)}` : "";
  return `ply ${ply}: ${moverOf(game, ply)} claims ${cellName(game, ply)}, ${SAID[grade]}${which}.${end}`;
};

// A whole game as `arena replay --grade` writes it, without the boards.
const writeGame = (game) => {
  const lines = [game.id ? `game ${game.id} on ${game.variant.name}, opening ${game.opening}` : `a game on ${game.variant.name}`];
  lines.push(`first ${game.bots[0]}, second ${game.bots[1]}`, "");
  for (let ply = 1; ply <= game.cells.length; ply += 1) {
    const grade = gradeOf(game, ply);
    const which = sayWinning(game, ply, grade === "kept" ? MOST_NAMED : Infinity);
    const mark = grade === "opening" ? " (opening)" : `  [${grade === "awaited" ? "unknown" : grade}${which}]`;
    lines.push(`${ply}. ${moverOf(game, ply)}: ${cellName(game, ply)}${mark}`);
  }
  return `${[...lines, "", sayEnd(game), ...(game.cpu ? [sayCpus(game)] : [])].join("\n")}\n`;
};

const sayCpu = (microseconds) => {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toPrecision(2)} s`;
  return microseconds >= 1e3 ? `${Number((microseconds / 1e3).toPrecision(2))} ms` : `${microseconds} µs`;
};

const sayCpus = (game) => `CPU: ${game.bots.map((bot, side) => `${bot} ${sayCpu(game.cpu[side])}`).join(", ")}`;
