// The game that the server keeps for this page, one at a time. Shows nothing.
//
// Only the answer to the last question counts, and whoever leaves a game asks no more: an answer that comes later is
// dropped. If it tells of another game than the page has, nobody plays that one, and the server hears that its place
// is free.
const makeOpponent = () => {
  let game = null; // what the server has said of it last
  let question = 0; // the number of the last one
  let isBusy = false;

  const sendLeft = (id) => {
    navigator.sendBeacon("play/leave", new Blob([JSON.stringify({ game: id })], { type: "application/json" }));
  };
  // The answer; null if it came too late.
  const ask = async (path, values) => {
    question += 1;
    const number = question;
    const told = await post(path, values);
    if (number === question) {
      isBusy = false;
      if (told.status === undefined) game = told;
      return told;
    }
    if (told.game && told.game !== game?.game) sendLeft(told.game);
    return null;
  };
  // A new game ends the one before.
  const begin = (seating) => {
    isBusy = true;
    return ask("play/begin", { ...seating, instead: game?.game ?? "" });
  };
  // A closed cell is asked for too, for the rule book's words; meanwhile one can choose another.
  const claim = (ply, cell, isOpen) => {
    isBusy = isOpen;
    return ask("play/move", { game: game.game, ply, cell });
  };
  // Tell the server that nobody plays on; the page keeps the game, for it may be shown again.
  const sayLeft = () => {
    if (game?.winner === null) sendLeft(game.game);
  };
  const leave = () => {
    sayLeft();
    question += 1;
    isBusy = false;
    game = null;
  };
  return { begin, claim, leave, sayLeft, get game() { return game; }, get isBusy() { return isBusy; } };
};
