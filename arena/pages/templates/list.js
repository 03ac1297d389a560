// The list of games: filters, and a few rows at a time, because ten thousand would make any page slow.
const ROWS = 12;
const FILTERS = ["bot", "against", "variant", "result", "kind"];

// Whether a game is asked for, by the rules of `arena games`: a named bot's own blunders and forfeits.
const isAsked = (data, number, asked) => {
  const games = data.games;
  const bots = [games.first[number], games.second[number]].map((bot) => data.bots[bot]);
  const [winner, loser] = [bots[games.winner[number]], bots[1 - games.winner[number]]];
  const winners = { first: bots[0], second: bots[1], won: asked.bot, lost: bots.find((bot) => bot !== asked.bot) };
  const isOwn = !asked.bot || asked.result === "won" || loser === asked.bot;
  return (
    (!asked.bot || bots.includes(asked.bot)) &&
    (!asked.against || bots.includes(asked.against)) &&
    (!asked.variant || data.variants[games.variant[number]].name === asked.variant) &&
    (!asked.result || winners[asked.result] === winner) &&
    (asked.kind !== "blunders" || (games.thrown[number] > 0 && isOwn)) &&
    (asked.kind !== "forfeits" || (data.endings[games.ending[number]] !== "no-moves" && isOwn))
  );
};

const makeRow = (data, number, isCurrent) => {
  const game = makeGame(data, number);
  const thrown = Math.min(data.games.thrown[number], game.lastPly);
  const row = document.createElement("tr");
  const name = make("td", "");
  name.append(linkTo(`${game.variant.name}, opening ${game.opening}`, { game: game.id }));
  const blunder = make("td", "");
  if (thrown) blunder.append(linkTo(`ply ${thrown}`, { game: game.id, ply: thrown }));
  row.append(name, make("td", game.bots[0]), make("td", game.bots[1]));
  row.append(make("td", game.bots[game.winner], "strong"), make("td", game.cells.length, "right"));
  row.append(blunder, make("td", game.isForfeit ? game.ending : ""));
  if (isCurrent) row.setAttribute("aria-current", "true");
  return row;
};

// The list with its filters. `tell` is called when somebody has changed them.
const makeList = (data, tell) => {
  const fields = Object.fromEntries(FILTERS.map((name) => [name, byId(`filter-${name}`)]));
  let found = [];
  let from = 0;
  let current = -1;
  const asked = () => Object.fromEntries(FILTERS.map((name) => [name, fields[name].value]));
  const draw = () => {
    const shown = found.slice(from, from + ROWS);
    byId("game-list").tBodies[0].replaceChildren(...shown.map((each) => makeRow(data, each, each === current)));
    const range = `${(from + 1).toLocaleString("en")} to ${(from + shown.length).toLocaleString("en")}`;
    byId("page-said").textContent = found.length ? `${range} of ${found.length.toLocaleString("en")}` : "no such games";
    setAble("page-back", from > 0);
    setAble("page-on", from + ROWS < found.length);
  };
  const isOfBot = (result) => result === "won" || result === "lost";
  const search = () => {
    for (const option of fields.result.options) option.disabled = isOfBot(option.value) && !fields.bot.value;
    if (fields.result.selectedOptions[0].disabled) fields.result.value = "";
    const wanted = asked();
    found = [...data.games.game.keys()].filter((number) => isAsked(data, number, wanted));
    turnTo(current);
  };
  // Show the page on which a game is; the first if it is not in the list.
  const turnTo = (number) => {
    current = number;
    from = Math.max(0, Math.floor(found.indexOf(number) / ROWS) * ROWS);
    draw();
  };
  const fill = (name, options) => fields[name].append(...options.map((option) => new Option(option, option)));
  fill("bot", data.bots);
  fill("against", data.bots);
  fill("variant", data.variants.map((variant) => variant.name));
  for (const field of Object.values(fields)) {
    field.addEventListener("change", () => {
      search();
      tell(Object.fromEntries(Object.entries(asked()).filter(([, value]) => value)));
    });
  }
  const turn = (by) => {
    if (from + by < 0 || from + by >= found.length) return;
    from += by;
    draw();
  };
  byId("page-back").addEventListener("click", () => turn(-ROWS));
  byId("page-on").addEventListener("click", () => turn(ROWS));
  search();
  return {
    // Set all filters; returns those that this page has no such value for.
    ask(wanted) {
      for (const name of FILTERS) fields[name].value = wanted[name] ?? "";
      const unknown = FILTERS.filter((name) => fields[name].selectedIndex < 0);
      for (const name of unknown) fields[name].value = "";
      search();
      return unknown;
    },
    open(number) {
      if (!found.includes(number)) this.ask({});
      turnTo(number);
    },
    beside: (number, by) => found[found.indexOf(number) + by],
  };
};
