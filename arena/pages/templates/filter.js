// The standings on each variant and on each side take turns in one place; a list says which is shown.
for (const section of document.querySelectorAll("#standings")) {
  const views = [...section.querySelectorAll(".view")];
  const list = document.createElement("select");
  const groups = new Map([[undefined, list]]);
  views.forEach((view, number) => {
    const { name, group } = view.dataset;
    if (!groups.has(group)) {
      groups.set(group, Object.assign(document.createElement("optgroup"), { label: group }));
      list.append(groups.get(group));
    }
    groups.get(group).append(new Option(group === "By side" ? `as ${name}` : name, String(number)));
  });
  const show = () => views.forEach((view, number) => { view.hidden = String(number) !== list.value; });
  const label = document.createElement("label");
  label.className = "filter";
  label.append("Show ", list);
  list.autocomplete = "off"; // a browser that remembers the choice would show another table than it says
  list.addEventListener("change", show);
  views[0].before(label);
  views[0].after(...views.slice(1));
  for (const folded of section.querySelectorAll("details.views")) folded.remove();
  show();
}
