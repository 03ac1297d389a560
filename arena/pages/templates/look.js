// Light or dark, as somebody has chosen it, in every page: this stands in the head, so that no page is seen in the
// other colours first. A browser may keep nothing, above all for pages from the disk; then each page forgets it.
(() => {
  const KEY = "arena-look";
  const NAMES = ["light", "dark"];
  const read = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const keep = (name) => {
    try {
      if (NAMES.includes(name)) localStorage.setItem(KEY, name);
      else localStorage.removeItem(KEY);
    } catch {
      // it holds for this page
    }
  };
  const show = (name) => {
    if (NAMES.includes(name)) document.documentElement.dataset.look = name;
    else delete document.documentElement.dataset.look;
  };
  const showKept = () => {
    const name = read();
    show(name);
    const button = document.getElementById(`look-${NAMES.includes(name) ? name : "auto"}`);
    if (button) button.checked = true;
  };
  showKept();
  addEventListener("DOMContentLoaded", showKept);
  addEventListener("pageshow", (event) => event.persisted && showKept()); // it may have been chosen elsewhere
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "look") return;
    const name = target.id.replace("look-", "");
    keep(name);
    show(name);
  });
})();
