// A live page: what a server says of the run takes the place of what has changed. What the reader has chosen stays:
// the table, its order, what is unfolded, where the page and the focus are, and the game in the replay.
const RETRY = 5_000; // milliseconds until a server that has refused is asked again

const parseHtml = (html) => new DOMParser().parseFromString(html, "text/html").body; // runs and loads nothing

const replaceHeader = (html) => {
  const header = document.querySelector("header");
  const before = header.querySelector("details");
  const hadFocus = header.contains(document.activeElement);
  header.replaceChildren(...parseHtml(html).childNodes);
  const after = header.querySelector("details");
  if (after) after.open = before?.open ?? false;
  if (hadFocus) after?.querySelector("summary").focus({ preventScroll: true });
};

const headingsOf = (table) => [...table.tHead.rows[0].cells].map((head) => head.textContent);
const nameOf = (row) => row.querySelector("th")?.textContent;

// Headings stay as they are, with their order and the focus, unless there are others now.
const replaceHeadings = (table, fresh) => {
  if (String(headingsOf(table)) === String(headingsOf(fresh))) return;
  const sorted = table.tHead.querySelector("[aria-sort]");
  table.tHead.replaceWith(fresh.tHead);
  makeSortable(table);
  const same = sorted && [...table.tHead.rows[0].cells].find((head) => head.textContent === sorted.textContent);
  same?.setAttribute("aria-sort", sorted.getAttribute("aria-sort"));
};

const replaceTable = (table, html) => {
  const fresh = parseHtml(html).querySelector("table");
  const focused = table.tBodies[0].contains(document.activeElement) ? nameOf(document.activeElement.closest("tr")) : null;
  replaceHeadings(table, fresh);
  table.tBodies[0].replaceWith(fresh.tBodies[0]);
  for (const link of table.tBodies[0].querySelectorAll("a")) {
    if (link.hash && !byId(link.hash.slice(1))) link.replaceWith(...link.childNodes); // a bot that has come since
  }
  const sorted = table.tHead.querySelector("[aria-sort]");
  if (sorted) sort(table, sorted, sorted.getAttribute("aria-sort"));
  const row = focused && [...table.tBodies[0].rows].find((each) => nameOf(each) === focused);
  row?.querySelector("a")?.focus({ preventScroll: true });
};

const keyOf = ({ dataset }) => `${dataset.group ?? ""}/${dataset.name}`;

const putNews = (news) => {
  if (news.strip !== undefined) byId("live-strip").replaceChildren(...parseHtml(news.strip).childNodes);
  if (news.header !== undefined) replaceHeader(news.header);
  if (news.reading !== undefined) {
    document.querySelector("#standings > .how").replaceChildren(...parseHtml(news.reading).childNodes);
  }
  for (const view of document.querySelectorAll("#standings .view")) {
    const html = news.tables?.[keyOf(view)];
    if (html !== undefined) replaceTable(view.querySelector("table"), html);
  }
};

// What is in the middle of the window stays there, whatever grows above it.
const holdStill = (change) => {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("main > *");
  const before = seen?.getBoundingClientRect().top;
  change();
  if (scrollY > 0 && seen) scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: "instant" });
};

const watchRun = (live) => {
  let source = null;
  let timer = 0;
  let state = {};
  const tell = (text, isSeen = true) => {
    byId("live-status").classList.toggle("unseen", !isSeen); // for those who hear the page
    if (byId("live-status").textContent !== text) byId("live-status").textContent = text;
  };
  const take = (news) => {
    putNews(news);
    state = { isOver: news.isOver ?? state.isOver, games: news.games ?? state.games };
    tell(state.isOver && live.dataset.over === undefined ? "Done: all games have been played." : "", false);
    byId("live-older").hidden = state.games === undefined || String(state.games) === live.dataset.games;
  };
  const leave = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const join = () => {
    leave();
    source = new EventSource(live.dataset.events);
    source.addEventListener("message", ({ data }) => holdStill(() => take(JSON.parse(data))));
    source.addEventListener("error", () => {
      holdStill(() => tell("The connection to the server is lost. This page tries again by itself."));
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(join, RETRY); // else the browser does
    });
  };
  live.hidden = false;
  // A page that nobody sees asks nothing: a browser has but six connections to a server.
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : join()));
  if (!document.hidden) join();
};

if (byId("live")) watchRun(byId("live"));
