// What if: a row made with controls of the schema, its way down, the margins, the answer, and the nearest change that flips it.
import type { App } from "./app.ts";
import { h, named } from "./dom.ts";
import { parsed, percent, rounded, simplest } from "./numbers.ts";
import { ofRow } from "./reliability.ts";
import type { Cell } from "./tree.ts";
import type { Asked } from "./words.ts";

/** The code of a value that the tree does not know: it counts as missing. */
const UNKNOWN = "unknown";

interface Change {
  changes: [number, Cell][];
  distance: number;
}

export function whatIfPanel(app: App): HTMLElement {
  const { tree, words, payload } = app;
  const used = usedAttributes(app);
  const controls = new Map<number, HTMLInputElement | HTMLSelectElement>();
  const grid = h("div", { class: "controls" });
  for (const attribute of used) grid.append(control(attribute));
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
      element.append(h("option", { value: UNKNOWN }, "another value"));
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
    if (values) cell = text === "" || text === UNKNOWN ? null : Number(text);
    else if (text !== "" && text !== "?") {
      const x = parsed(text, shown_as);
      wrong = Number.isNaN(x);
      cell = wrong ? null : x;
    }
    element.setAttribute("aria-invalid", String(wrong));
    app.row[attribute] = cell;
    app.tell("row");
  }

  function show(): void {
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

  let waiting = 0;
  function showNearest(into: HTMLElement, answer: number): void {
    const change = nearestChange(app, answer);
    if (!change) {
      into.replaceChildren("No change of the row gives another answer.");
      return;
    }
    const texts = change.changes.map(([attribute, cell]) => `${words.name(attribute)} ${payload.attributes[attribute].values ? "=" : "to"} ${cellText(app, attribute, cell)}`);
    const row = app.row.slice();
    change.changes.forEach(([attribute, cell]) => (row[attribute] = cell));
    const then = tree.predict(row, app.split);
    const tryIt = () => {
      app.row = row;
      show();
      app.tell("row");
    };
    into.replaceChildren("Nearest change: ", named(texts.join(", ")), " → ", h("strong", {}, named(words.said(then.answer))), " ", h("button", { type: "button", click: tryIt }, "Try it"));
  }

  function update(): void {
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
    lines.push(wayDown(app));
    const nearest = h("p", { id: "nearest" });
    lines.push(nearest);
    clearTimeout(waiting);
    // Every rule is looked at: in a large tree that waits until the reader pauses.
    if (app.stop.leaves <= 300) showNearest(nearest, answer.answer);
    else waiting = window.setTimeout(() => showNearest(nearest, answer.answer), 250);
    result.replaceChildren(...lines);
  }

  app.onChange((change) => {
    if (change === "row" || change === "member") update();
  });
  show();
  update();
  const clear = h("button", { type: "button", click: () => { app.row = app.row.map(() => null); show(); controls.forEach((e) => (e.value = "")); app.tell("row"); } }, "All unknown");
  return h(
    "section",
    { class: "panel", "aria-labelledby": "if-title" },
    h("div", { class: "line" }, h("h2", { id: "if-title" }, "What if"), clear),
    h("p", { class: "small" }, "A value that is left out is unknown: the row then goes down every branch in proportion to the rows there."),
    grid,
    h("details", { class: "small" }, h("summary", {}, "Paste a row"), h("label", { for: "paste" }, "Values in the order of the attributes, divided by commas or tabs; a line of names may stand before them"), paste, problem),
    result,
  );
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
  if (cell === null) return "unknown";
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
      }
    }
    if (share < 1) item.append(h("span", { class: "small" }, ` ${percent(share)} of the row`));
    list.append(item);
  });
  if (more > 0) list.append(h("li", {}, `${more} more questions in parts of the row`));
  return list;
}

/** The cell nearest to the present one that an asked range or list takes. */
function nearestCell(app: App, attribute: number, asked: Asked): Cell | undefined {
  const cell = app.row[attribute];
  if ("codes" in asked) return cell !== null && asked.codes.includes(cell) ? cell : asked.codes[0];
  const { low, high } = asked;
  if (low !== null && high !== null && !(low < high)) return undefined;
  if (cell !== null && (low === null || cell >= low) && (high === null || cell < high)) return cell;
  if (low !== null && (cell === null || cell < low)) return high === null ? low : simplest(low, Math.min(high, low + spread(app, attribute) / 50));
  const from = Math.max(low ?? -Infinity, high! - spread(app, attribute) / 50);
  return simplest(from, high!);
}

function spread(app: App, attribute: number): number {
  const quartiles = app.payload.summary?.attributes[attribute].quartiles;
  const range = quartiles ? quartiles[4] - quartiles[0] : 0;
  return range > 0 ? range : Math.abs(app.row[attribute] ?? 1) || 1;
}

/** The change of fewest attributes, then of the smallest distance, after which the answer is another one. */
function nearestChange(app: App, answer: number): Change | null {
  const { tree } = app;
  const found: Change[] = [];
  for (let id = 0; id < tree.n; id++) {
    if (app.split[id] || !app.isThere(id) || tree.answer[id] === answer) continue;
    const changes: [number, Cell][] = [];
    let distance = 0;
    let possible = true;
    for (const [attribute, asked] of app.words.rule(id)) {
      const now = app.row[attribute];
      const cell = nearestCell(app, attribute, asked);
      if (cell === undefined) possible = false;
      else if (cell !== now) {
        changes.push([attribute, cell]);
        const isNumber = !("codes" in asked) && now !== null && cell !== null;
        distance += isNumber ? Math.abs(cell - now) / spread(app, attribute) : 1;
      }
    }
    if (possible) found.push({ changes, distance });
    // Rules of a very large tree: enough to find a near one.
    if (found.length > 20_000) break;
  }
  found.sort((a, b) => a.changes.length - b.changes.length || a.distance - b.distance);
  for (const change of found.slice(0, 200)) {
    const row = app.row.slice();
    change.changes.forEach(([attribute, cell]) => (row[attribute] = cell));
    if (tree.predict(row, app.split).answer !== answer) return change;
  }
  return null;
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
    if (!values && Number.isNaN(x)) return `${app.words.name(place)}: ${cell} is no number`;
    row[place] = values && x < 0 ? null : x;
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
