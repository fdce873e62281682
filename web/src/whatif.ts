// What if: a row made with controls of the schema, its way down, the margins, the answer, and the nearest change that flips it.
import type { App } from "./app.ts";
import { h, named } from "./dom.ts";
import { handy, nearestChange } from "./nearest.ts";
import type { NearestChange } from "./nearest.ts";
import { counted, parsed, percent, rounded } from "./numbers.ts";
import { ofRow } from "./reliability.ts";
import { UNSEEN } from "./tree.ts";
import type { Cell } from "./tree.ts";

/** Milliseconds of one slice of a search. */
const SLICE = 15;

export function whatIfPanel(app: App): HTMLElement {
  const { tree, words, payload } = app;
  const used = usedAttributes(app);
  const controls = new Map<number, HTMLInputElement | HTMLSelectElement>();
  const grid = h("div", { class: "controls" });
  for (const attribute of used) grid.append(control(attribute));
  const rest = h("p", { class: "small" });
  const result = h("div", { class: "result", "aria-live": "polite" });
  const problem = h("p", { class: "problem", role: "status" });
  const paste = h("textarea", { id: "paste", rows: 2, spellcheck: "false" });

  function control(attribute: number): HTMLElement {
    const { values, shown_as } = payload.attributes[attribute];
    const id = `if-${attribute}`;
    let element: HTMLInputElement | HTMLSelectElement;
    if (values) {
      element = h("select", { id, change: () => read(attribute) }, h("option", { value: "" }, "?"));
      values.forEach((_, code) => element.append(h("option", { value: code }, words.value(attribute, code))));
      element.append(h("option", { value: UNSEEN }, "another value"));
    } else {
      element = h("input", { id, type: "text", inputmode: "decimal", placeholder: shown_as ?? "?", input: () => read(attribute) });
    }
    controls.set(attribute, element);
    return h("div", {}, h("label", { for: id }, named(words.name(attribute))), element);
  }

  function read(attribute: number): void {
    const element = controls.get(attribute)!;
    const text = element.value.trim();
    const { values, shown_as } = payload.attributes[attribute];
    let cell: Cell = null;
    let wrong = false;
    if (values) cell = text === "" ? null : Number(text);
    else if (text !== "" && text !== "?") {
      const x = parsed(text, shown_as);
      wrong = Number.isNaN(x);
      cell = wrong ? null : x;
    }
    element.setAttribute("aria-invalid", String(wrong));
    app.row[attribute] = cell;
    app.tell("row");
  }

  /** Hides what the tree in view does not ask for and nobody gave. */
  function hideUnused(): void {
    const asked = new Set<number>();
    for (let id = 0; id < tree.n; id++) if (app.split[id]) asked.add(tree.attribute[id]);
    let hidden = 0;
    for (const [attribute, element] of controls) {
      const isIdle = !asked.has(attribute) && app.row[attribute] === null;
      element.parentElement!.hidden = isIdle;
      hidden += isIdle ? 1 : 0;
    }
    rest.textContent = hidden > 0 ? `Larger trees ask for ${counted(hidden, "more attribute")}.` : "";
  }

  function show(): void {
    hideUnused();
    for (const [attribute, element] of controls) {
      const cell = app.row[attribute];
      const { values } = payload.attributes[attribute];
      const text = cell === null ? "" : values ? String(cell) : words.number(attribute, cell);
      if (document.activeElement !== element) element.value = text;
    }
  }

  paste.addEventListener("input", () => {
    const row = pastedRow(app, paste.value);
    problem.textContent = typeof row === "string" ? row : "";
    if (typeof row === "string") return;
    app.row = row;
    show();
    app.tell("row");
  });

  function showNearest(into: HTMLElement, change: NearestChange | null): void {
    if (!change) {
      into.replaceChildren("No change of the row gives another answer.");
      return;
    }
    const texts = change.changes.map(({ attribute, test }) => words.phrase(attribute, test, 60));
    const row = app.row.slice();
    for (const one of change.changes) row[one.attribute] = handy(app, one);
    const tryIt = () => {
      app.row = row;
      show();
      app.tell("row");
    };
    const said = tree.isClassifier ? tree.decide(change.numbers) : change.numbers[0];
    into.replaceChildren("Nearest change: ", named(texts.join(" and ")), " → ", h("strong", {}, named(words.said(said))), " ", h("button", { type: "button", click: tryIt }, "Try it"));
  }

  /** Looks for the nearest change in slices, so that the page answers meanwhile. */
  let waiting = 0;
  function findNearest(into: HTMLElement): void {
    clearTimeout(waiting);
    if (app.row.every((cell) => cell === null)) {
      into.replaceChildren("Give values to see the nearest change that gives another answer.");
      return;
    }
    const search = nearestChange(app, app.row);
    const slice = () => {
      const end = performance.now() + SLICE;
      do {
        const step = search.next();
        if (step.done) {
          showNearest(into, step.value);
          return;
        }
      } while (performance.now() < end);
      waiting = window.setTimeout(slice);
    };
    slice();
  }

  function update(): void {
    // Nothing is printed of a row that nobody gave.
    section.classList.toggle("unasked", app.row.every((cell) => cell === null));
    const answer = tree.predict(app.row, app.split);
    const lines: HTMLElement[] = [];
    const said = h("p", { class: "answer", id: "answer" }, "→ ", h("strong", {}, named(words.said(answer.answer))));
    if (tree.isClassifier) said.append(` with ${percent(answer.numbers[answer.answer])}`);
    const rule = app.path.columns.prior_counts ?? payload.rule;
    if (rule && payload.rule) {
      const { error, sd } = ofRow(tree, answer.leaves, rule);
      said.append(`; expected error ${percent(error)} ± ${percent(sd)}`);
    } else if (!tree.isClassifier && answer.leaves.length === 1) said.append(` ± ${words.spread(answer.leaves[0][0])}`);
    lines.push(said);
    if (tree.isClassifier) {
      const order = answer.numbers.map((p, label) => ({ p, label })).filter(({ p }) => p > 0).sort((a, b) => b.p - a.p).slice(0, 6);
      lines.push(h("p", { class: "small" }, order.map(({ p, label }) => `${words.said(label)} ${percent(p)}`).join(" · ")));
    }
    if (app.row.some((cell) => cell !== null)) lines.push(wayDown(app));
    const nearest = h("p", { id: "nearest" });
    lines.push(nearest);
    result.replaceChildren(...lines);
    findNearest(nearest);
  }

  const clear = h("button", { type: "button", click: () => { app.row = app.row.map(() => null); show(); controls.forEach((e) => (e.value = "")); app.tell("row"); } }, "All unknown");
  const section = h(
    "section",
    { class: "panel", "aria-labelledby": "if-title" },
    h("div", { class: "line" }, h("h2", { id: "if-title" }, "What if"), clear),
    h("p", { class: "small" }, tree.missing.some((branch) => branch >= 0)
      ? "A value that is left out is missing: the row then goes where the tree sends missing values, or down every branch in proportion to the rows there."
      : "A value that is left out is unknown: the row then goes down every branch in proportion to the rows there."),
    grid,
    rest,
    h("details", { class: "small" }, h("summary", {}, "Paste a row"), h("label", { for: "paste" }, "Values in the order of the attributes, divided by commas or tabs; a line of names may stand before them"), paste, problem),
    result,
  );
  app.onChange((change) => {
    if (change === "member") hideUnused();
    if (change === "row" || change === "member") update();
  });
  show();
  update();
  return section;
}

/** The attributes that the tree tests, the most used first. */
function usedAttributes({ tree }: App): number[] {
  const use = new Map<number, number>();
  for (let id = 0; id < tree.n; id++) {
    if (!tree.isLeaf(id)) use.set(tree.attribute[id], (use.get(tree.attribute[id]) ?? 0) + tree.weight[id]);
  }
  return Array.from(use).sort((a, b) => b[1] - a[1]).map(([attribute]) => attribute);
}

function cellText({ words, payload }: App, attribute: number, cell: Cell): string {
  if (cell === null) return "missing";
  if (cell === UNSEEN && payload.attributes[attribute].values) return "another value";
  return payload.attributes[attribute].values ? words.value(attribute, cell) : words.number(attribute, cell);
}

function wayDown(app: App): HTMLElement {
  const { tree, words } = app;
  const list = h("ol", { class: "way" });
  let more = 0;
  tree.walk(app.row, app.split, (id, share, ends) => {
    if (ends || list.children.length >= 8) {
      if (!ends) more++;
      return;
    }
    const attribute = tree.attribute[id];
    const branch = tree.route(id, app.row[attribute]);
    const test = tree.test[id]!;
    const cell = app.row[attribute];
    const item = h("li", {});
    if (branch < 0) item.append(named(words.name(attribute)), " is unknown: every branch in part");
    else {
      item.append(named(`${words.name(attribute)} ${words.branch(tree.first[id] + branch, 40)}`));
      if (typeof test === "number" && cell !== null) {
        const margin = Math.abs(cell - test);
        item.append(` (it is ${cellText(app, attribute, cell)}, ${rounded(margin, 4)} ${cell >= test ? "above" : "below"})`);
      } else if (cell === null) item.append(" (it is missing)");
    }
    if (share < 1) item.append(h("span", { class: "small" }, ` ${percent(share)} of the row`));
    list.append(item);
  });
  if (more > 0) list.append(h("li", {}, `${more} more questions in parts of the row`));
  return list;
}

/** A pasted row, or what is wrong with it. */
export function pastedRow(app: App, text: string): Cell[] | string {
  const { attributes, target } = app.payload;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) return app.row.map(() => null);
  const separator = lines[0].includes("\t") ? "\t" : lines[0].includes(";") ? ";" : ",";
  const cells = fields(lines[lines.length - 1], separator);
  let names = attributes.map((attribute) => attribute.name);
  if (lines.length > 1) names = fields(lines[0], separator);
  else if (cells.length === attributes.length + 1) names = [...names, target.name];
  if (cells.length !== names.length) return `${cells.length} values for ${names.length} attributes`;
  const row: Cell[] = app.row.map(() => null);
  for (let i = 0; i < cells.length; i++) {
    const place = attributes.findIndex((attribute) => attribute.name === names[i]);
    const cell = cells[i].trim();
    if (place < 0 || ["", "?", "NA", "NaN"].includes(cell)) continue;
    const { values, shown_as } = attributes[place];
    const x = values ? values.indexOf(cell) : parsed(cell, shown_as);
    if (!values && Number.isNaN(x)) return `${app.words.name(place)}: ${cell} is not a number`;
    row[place] = x; // Of a value that is in no list this is UNSEEN.
  }
  return row;
}

function fields(line: string, separator: string): string[] {
  const out: string[] = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (c === '"' && quoted && line[i + 1] === '"') field += line[++i];
    else if (c === '"' && (quoted || field === "")) quoted = !quoted;
    else if (c === separator && !quoted) {
      out.push(field);
      field = "";
    } else field += c;
  }
  return [...out, field];
}
