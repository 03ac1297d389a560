// A bot in JavaScript for node: greedy, and of equally good moves it draws one. Teaches: the JSON-lines protocol,
// and chance that can be repeated.
//
//     > {"type":"hello","protocol":1}
//     < {"type":"ready"}
//     > {"type":"game","rule":"snort","size":25,"neighbours":[[1,5,6],...],"side":0,"seed":17,...}
//     > {"type":"move","id":"4f1c","to_move":0,"legal":[0,1,2],"owners":".....X...","history":[12],...}
//     < {"id":"4f1c","move":12}
//     > {"type":"end","winner":0,"ending":"no-moves"}      then another game, or end of input
//
// Print for yourself with console.error; stdout is for answers alone.

"use strict";

const readline = require("node:readline");

let game = null; // the line that began the game: its rule, board and seed

// Return whether a side (0 or 1) may claim a cell.
function mayClaim(owners, cell, side) {
  if (owners[cell] !== ".") return false;
  const own = "XO"[side];
  return game.neighbours[cell].every((neighbour) => {
    if (owners[neighbour] === ".") return true;
    return owners[neighbour] === own ? game.rule === "snort" : game.rule === "col";
  });
}

// Return how many of the open cells a claim closes to the opponent: itself, and its neighbours unless the rule is col.
function closedBy(cell, isOpen) {
  const cells = game.rule === "col" ? [cell] : [cell, ...game.neighbours[cell]];
  return cells.filter((closed) => isOpen[closed]).length;
}

// Return the moves that close most to the opponent, and so leave it the fewest replies.
function greedyMoves({ legal, owners, to_move: side }) {
  const isOpen = game.neighbours.map((_, cell) => mayClaim(owners, cell, 1 - side));
  const closed = legal.map((cell) => closedBy(cell, isOpen));
  const most = Math.max(...closed);
  return legal.filter((_, i) => closed[i] === most);
}

// Return a number from 0 up to 1 that depends on the seed and the ply alone. Math.random cannot be seeded, and a
// game that cannot be repeated cannot be looked into, so this mixes the bits itself (Murmur3's finalizer).
function chance(seed, ply) {
  let bits = (seed % 2 ** 32) ^ Math.floor(seed / 2 ** 32) ^ Math.imul(ply + 1, 0x9e3779b9);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

// Return one of the greedy moves.
function move(request) {
  const moves = greedyMoves(request);
  return moves[Math.floor(chance(game.seed, request.history.length) * moves.length)];
}

// Each write goes out at once: to a pipe, node does not hold lines back.
function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") send({ type: "ready" });
  else if (message.type === "game") game = message;
  else if (message.type === "move") send({ id: message.id, move: move(message) });
});
