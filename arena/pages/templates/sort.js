"use strict"; // it holds for the whole script, of which this is the first part

// Sorting: the headings of tables become buttons.
const read = (row, column) => {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  return { text, number: Number.parseFloat(text.replaceAll(",", "")) }; // "3 to 6" and "45%" go by what they begin with
};
// Sort by a column: in an order, or in the other one than it is in.
const sort = (table, head, wanted = "") => {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, ...read(row, head.cellIndex) }));
  const isNumber = rows.every((each) => each.text === "" || !Number.isNaN(each.number));
  const first = isNumber && head.dataset.first !== "up" ? "descending" : "ascending";
  const other = first === "ascending" ? "descending" : "ascending";
  const order = wanted || (head.getAttribute("aria-sort") === first ? other : first);
  const sign = order === "ascending" ? 1 : -1;
  rows.sort((a, b) =>
    (a.text === "") - (b.text === "") ||
    sign * (isNumber ? a.number - b.number : a.text.localeCompare(b.text)));
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  body.append(...rows.map((each) => each.row));
};
const makeSortable = (table) => {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head));
    head.append(button);
  }
};
document.querySelectorAll("table.sortable").forEach(makeSortable);
