// Elements of the page, and its address: what several parts of the script do with them.
const byId = (id) => document.getElementById(id);
const make = (tag, text, className = "") => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};
const svgPart = (tag, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
// A button that does nothing now. It is not `disabled`, because it would lose the focus.
const setAble = (id, isAble) => byId(id).setAttribute("aria-disabled", String(!isAble));

const writeHash = (asked) =>
  `#${Object.entries(asked).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
const setHash = (asked) => {
  byId("games-status").textContent = ""; // it was about another address
  try {
    history.replaceState(null, "", writeHash(asked));
  } catch {
    // Some browsers refuse after a hundred changes in half a minute; then the address stays behind.
  }
};
const linkTo = (text, asked) => {
  const link = make("a", text);
  link.href = writeHash(asked);
  return link;
};
