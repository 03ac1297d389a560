// A game as an address describes it, and a variant as its players see it.
const PHONE = matchMedia("(max-width: 40rem)");

const readCells = (text) => (text ? text.split(".").map(Number) : []);

// A variant as it looks when a player has moved first: stones and colours are the players', not the sides'.
// On a phone a line has several rows.
const seatVariant = (variants, number, starter) => {
  const variant = { ...variants[number], number, stage: number, ...(PHONE.matches ? variants[number].narrow : {}) };
  if (starter === 1) return variant;
  return { ...variant, stones: [...variant.stones].reverse(), looks: [...SIDES].reverse() };
};

// The game that an address describes, for the viewer; a sentence if it describes none.
const readGame = (data, asked) => {
  const number = data.variants.findIndex((each) => each.name === asked.variant);
  if (number < 0) return `There is no variant “${asked.variant}” here.`;
  const starter = asked.starter === "2" ? 2 : 1;
  const variant = seatVariant(data.variants, number, starter);
  const cells = readCells(asked.moves);
  const isLegal = cells.every((cell, ply) => openCells(variant, cells.slice(0, ply))[ply % 2][cell] === 1);
  if (!isLegal) return "The moves in this address cannot be made one after the other.";
  const players = starter === 1 ? [1, 2] : [2, 1];
  const names = [asked.first, asked.second].map((name, side) => (data.bots.includes(name) ? name : `Player ${players[side]}`));
  const isOver = !openCells(variant, cells)[cells.length % 2].includes(1);
  const isForfeit = !isOver && data.endings.includes(asked.ending) && asked.ending !== "no-moves";
  return {
    number: 0, id: "", variant, cells, ending: isForfeit ? asked.ending : "no-moves", isForfeit, bots: names,
    winner: isOver || isForfeit ? 1 - (cells.length % 2) : null,
    openingPlies: 0, verdicts: [], detail: "", printed: "", lastPly: cells.length + (isForfeit ? 1 : 0),
  };
};
