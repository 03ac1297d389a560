// What the address asks for: `#game=ID&ply=7` a ply of a game, `#bot=A&against=B` a list of games. The games are
// unpacked when an address asks for them, or when their section comes into view.
const openGame = ({ data, list, viewer }, asked) => {
  const number = data.games.game.indexOf(asked.game);
  if (number < 0) {
    byId("games").scrollIntoView();
    return `There is no game “${asked.game}” in this page.`;
  }
  const game = makeGame(data, number);
  const ply = asked.ply === undefined ? game.openingPlies : Number(asked.ply || NaN);
  list.open(number);
  viewer.show(game, Number.isInteger(ply) ? ply : game.openingPlies);
  const isThere = Number.isInteger(ply) && ply >= 0 && ply <= game.lastPly;
  return isThere ? "" : `This game has no ply “${asked.ply}”; its last one is ${game.lastPly}.`;
};

const openList = ({ list }, asked) => {
  const unknown = list.ask(asked).map((name) => `${name} “${asked[name]}”`);
  byId("games").scrollIntoView();
  byId("game-list").parentElement.focus({ preventScroll: true });
  return unknown.length ? `These games have no ${unknown.join(" and no ")}; the others are listed.` : "";
};

const follow = (replay, asked) => {
  if (Object.hasOwn(asked, "game")) return openGame(replay, asked);
  const odd = Object.keys(asked).find((key) => !FILTERS.includes(key));
  if (odd === undefined) return openList(replay, asked);
  byId("games").scrollIntoView();
  return `This page does not know what “${odd}” in its address means.`;
};

const unpackGames = async () => {
  const data = JSON.parse(await unpackText(byId("packed-games").content.textContent));
  const list = makeList(data, setHash);
  const viewer = makeViewer(data, list);
  byId("replay").hidden = false;
  return { data, list, viewer };
};

const startReplay = () => {
  let unpacked = null;
  const tell = (text) => {
    byId("games-status").textContent = text;
  };
  const open = () => {
    unpacked ??= unpackGames().catch((error) => tell(`The games of this page cannot be read: ${error.message}.`));
    return unpacked;
  };
  const route = async () => {
    if (!location.hash.includes("=")) return;
    const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const replay = await open();
    if (replay) tell(follow(replay, asked));
  };
  addEventListener("hashchange", route);
  // A link to where the address is already changes nothing, but whoever follows it has been elsewhere meanwhile.
  addEventListener("click", ({ target }) => {
    if (target.closest("a")?.hash === location.hash) route();
  });
  new IntersectionObserver((seen) => {
    if (seen.some((each) => each.isIntersecting)) open();
  }, { rootMargin: "300px" }).observe(byId("games"));
  route();
};

// Without this script links to games would lead nowhere, so it is the script that makes them.
const linkGames = () => {
  for (const place of document.querySelectorAll("[data-link]")) {
    const link = make("a", "");
    link.href = place.dataset.link;
    link.append(...place.childNodes);
    place.append(link);
  }
};

// A cell of the heat map opens the games of its two bots. In a large one links would be too many to tab through,
// and the filters do the same.
const linkPairings = (heat) => {
  const names = [...heat.tHead.rows[0].cells].map((head) => head.querySelector("abbr")?.title);
  const askedBy = (cell) => ({ bot: names[cell.parentElement.rowIndex], against: names[cell.cellIndex] });
  if (heat.classList.contains("small")) {
    heat.addEventListener("click", ({ target }) => {
      if (target.title) location.hash = writeHash(askedBy(target));
    });
    return;
  }
  for (const cell of heat.querySelectorAll("td[title]")) {
    cell.replaceChildren(linkTo(cell.textContent, askedBy(cell)));
  }
};

if (byId("games")) {
  startReplay();
  linkGames();
  document.querySelectorAll(".heat").forEach(linkPairings);
}
