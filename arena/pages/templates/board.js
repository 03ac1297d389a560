// A board: copies of the one cell that the page holds for each variant, and classes that say what each is.
const SIDES = ["first", "second"];

const copyTo = (model, x, y) => {
  const copy = model.cloneNode(true);
  copy.setAttribute("transform", `translate(${x} ${y})`);
  model.parentNode.append(copy);
  return copy;
};

// Put the board of a variant into an element; returns what shows a position on it.
const makeBoard = (place, template, variant) => {
  const looks = variant.looks ?? SIDES; // of the first and of the second side
  place.replaceChildren(template.content.cloneNode(true));
  const svg = place.querySelector("svg");
  const [width, height] = [svg.getAttribute("width"), svg.getAttribute("height")];
  svg.style.minWidth = `${0.7 * width}px`; // on a phone one scrolls rather than guess at numbers
  svg.style.maxWidth = `calc(min(70vh, 40rem) * ${width / height})`;
  const [cell, echo] = [svg.querySelector(".cell"), svg.querySelector(".echo")];
  const echoes = variant.echoes.map(([of, x, y, wide, high]) => {
    const copy = copyTo(echo, x, y);
    const border = `M${-wide / 2} ${-high / 2}h${wide}v${high}h${-wide}z`;
    copy.querySelector(".ghost").setAttribute("d", border);
    copy.querySelector(".name").textContent = variant.numbers?.[of] ?? "";
    return { of, copy };
  });
  const cells = variant.points.map(([x, y], number) => {
    const copy = copyTo(cell, x, y);
    if (variant.numbers) copy.querySelector(".name").textContent = variant.numbers[number];
    return copy;
  });
  cell.remove();
  echo.remove();
  const show = (moves, winning, said) => {
    const open = openCells(variant, moves);
    const owners = new Map(moves.map((claimed, ply) => [claimed, ply]));
    svg.setAttribute("aria-label", said);
    cells.forEach((each, number) => {
      const kinds = kindsOf(number, open, owners, looks);
      if (moves.at(-1) === number) kinds.push("newest");
      if (winning.includes(number)) kinds.push("winning");
      each.setAttribute("class", ["cell", ...kinds].join(" "));
      each.querySelector("title").textContent = sayCell(variant, number, kinds, owners, looks);
    });
    for (const { of, copy } of echoes) {
      copy.setAttribute("class", owners.has(of) ? `echo claimed ${looks[owners.get(of) % 2]}` : "echo");
    }
  };
  return { variant, show, svg, cells };
};

const kindsOf = (cell, open, owners, looks) => {
  if (owners.has(cell)) return ["claimed", looks[owners.get(cell) % 2]];
  if (open[0][cell] && open[1][cell]) return [];
  return [open[0][cell] ? looks[0] : open[1][cell] ? looks[1] : "closed"];
};

const sayCell = (variant, cell, kinds, owners, looks) => {
  const [name, stones] = [variant.names[cell], variant.stones];
  const wins = kinds.includes("winning") ? ", wins" : "";
  if (owners.has(cell)) return `${name}: ${stones[owners.get(cell) % 2]}, move ${owners.get(cell) + 1}`;
  if (kinds.includes("closed")) return `${name}: closed to both`;
  const side = looks.findIndex((each) => kinds.includes(each));
  return `${name}: open to ${side < 0 ? "both" : `${stones[side]} alone`}${wins}`;
};
