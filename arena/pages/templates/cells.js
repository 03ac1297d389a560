// A board whose cells are buttons: by mouse, by touch, and by keys. One of them is in the tab order, arrow keys lead
// to the nearest one in their direction, and PageUp and PageDown to every cell in turn.
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const findNearest = (points, from, [right, down]) => {
  const [x, y] = points[from];
  let [best, least] = [from, Infinity];
  points.forEach(([toX, toY], number) => {
    const along = (toX - x) * right + (toY - y) * down;
    const across = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    const far = along + 3 * across;
    if (along > 1 && far < least) [best, least] = [number, far];
  });
  return best;
};

// Let somebody choose cells; `choose` is called with the number of a cell.
const makeChoosable = ({ svg, cells, variant }, choose) => {
  let current = 0;
  const setCurrent = (number) => {
    cells[current].setAttribute("tabindex", "-1");
    current = number;
    cells[current].setAttribute("tabindex", "0");
  };
  const step = (key) => {
    if (Object.hasOwn(DIRECTIONS, key)) return findNearest(variant.points, current, DIRECTIONS[key]);
    const last = cells.length - 1;
    return { Home: 0, End: last, PageUp: Math.max(0, current - 1), PageDown: Math.min(last, current + 1) }[key];
  };
  svg.setAttribute("role", "group");
  for (const cell of cells) {
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "-1");
    cell.querySelector(".name").setAttribute("aria-hidden", "true"); // the title says it
  }
  setCurrent(0);
  const numberOf = ({ target }) => cells.indexOf(target.closest(".cell"));
  svg.addEventListener("click", (event) => {
    if (numberOf(event) < 0) return;
    setCurrent(numberOf(event));
    choose(current);
  });
  svg.addEventListener("focusin", (event) => {
    if (numberOf(event) >= 0) setCurrent(numberOf(event));
  });
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) choose(current);
      return;
    }
    const number = step(event.key);
    if (number === undefined) return;
    event.preventDefault();
    setCurrent(number);
    cells[number].focus();
  });
  return {
    focus: () => cells[current].focus({ preventScroll: true }),
    // Which cells can be chosen; what each is called its title says.
    tell: (choosable) => cells.forEach((cell, number) => cell.setAttribute("aria-disabled", String(!choosable.includes(number)))),
  };
};
