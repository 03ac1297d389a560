// A game against a bot as the page shows it: who sits where, move by move, and how it ends.
const checkedOf = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

const showParts = ({ isPlaying, isDone = false, isLost = false }) => {
  byId("setup").hidden = byId("how-to-start").hidden = isPlaying;
  byId("how-to-move").hidden = !isPlaying || isDone || isLost;
  byId("now").hidden = !isPlaying;
  byId("during").hidden = !isPlaying || isDone || isLost;
  byId("after").hidden = !isDone;
  byId("lost").hidden = !isLost;
};

const makePlaying = (data, table) => {
  const opponent = makeOpponent();
  let seats = null; // who plays, as it was sent

  const isBusy = () => opponent.isBusy;
  const canChoose = () =>
    !isBusy() && opponent.game?.winner === null && table.moves.length % 2 === opponent.game.side;

  const take = (told) => {
    table.put(told.moves);
    say(told.head, told.said);
    refuse(told.refusal ?? "");
    showParts({ isPlaying: true, isDone: told.winner !== null });
    if (told.winner !== null) setHash(link());
  };
  const lose = (told) => {
    byId("lost-said").textContent = told.refused;
    say("This game has stopped");
    showParts({ isPlaying: true, isLost: true });
    table.show();
  };
  // There is no game: one chooses.
  const leave = () => {
    opponent.leave();
    table.forget();
    showParts({ isPlaying: false });
    table.lay(1, []);
  };

  const saySeats = ({ bot, player, coin }, { stones }) => {
    byId("seats").textContent = `You are Player ${player} (${stones[player - 1]}), ${bot} has ${stones[2 - player]}. ${coin}`;
    say(`${bot} sits down …`, []);
    showParts({ isPlaying: true });
  };
  const begin = async (opening) => {
    if (isBusy()) return;
    const variant = data.variants[chosenVariant()];
    const { coin, ...sent } = seats;
    const asked = opponent.begin({ ...sent, variant: variant.name, moves: opening });
    table.forget();
    table.lay(seats.starter, opening);
    saySeats(seats, variant);
    const told = await asked;
    if (told === null) return;
    if (told.status === undefined) {
      take(told);
      table.focus();
    } else if (opening.length) {
      lose(told);
    } else {
      leave();
      sayStatus(told.refused);
    }
  };
  const choose = async (cell) => {
    const { moves } = table;
    const isOpen = table.legal().includes(cell);
    const asked = opponent.claim(moves.length, cell, isOpen);
    table.forget();
    if (isOpen) {
      say(`${seats.bot} is thinking …`);
      table.put([...moves, cell]);
    }
    const told = await asked;
    if (told === null) return;
    if (told.status === undefined) {
      take(told);
    } else if (told.status === 429) {
      say(opponent.game.head);
      refuse(told.refused);
      table.put(moves);
    } else {
      lose(told);
    }
  };

  const sit = () => {
    const tossed = checkedOf("starter") === "coin";
    const isAgreed = data.variants[chosenVariant()].isStartAgreed;
    const first = tossed ? 1 + Math.floor(2 * Math.random()) : Number(checkedOf("starter"));
    seats = { bot: byId("bot").value, player: Number(checkedOf("player")), starter: isAgreed ? first : 1 };
    seats.coin = tossed && isAgreed ? `The coin says: Player ${first} moves first.` : "";
    begin([]);
  };
  const swap = () => {
    document.querySelector(`input[name="player"][value="${3 - seats.player}"]`).checked = true;
    sit();
  };
  const goFurther = () => begin(table.moves);
  // The finished game, for the address.
  const link = () => {
    const { side, ending } = opponent.game;
    const [first, second] = [0, 1].map((each) => (each === side ? "" : seats.bot));
    const asked = { variant: table.variant.name, first, second, starter: seats.starter, moves: table.moves.join(".") };
    return ending === "no-moves" ? asked : { ...asked, ending };
  };
  return { sit, swap, goFurther, leave, sayLeft: opponent.sayLeft, link, choose, canChoose, isBusy };
};
