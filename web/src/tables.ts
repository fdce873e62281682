// Rules and leaves, the confusion matrix, the use of attributes and the data: as tables that can be sorted.
import type { App } from "./app.ts";
import { h, named, styled } from "./dom.ts";
import { brief, count, counted, percent, weight } from "./numbers.ts";
import type { ColumnSummary } from "./payload.ts";
import { atNode } from "./reliability.ts";

interface Column {
  name: string;
  /** What rows are sorted by. */
  key: (id: number) => number | string;
  text: (id: number) => string;
  isText?: boolean;
}

const MOST = 200;
const alphabet = new Intl.Collator();

/** A table whose heads sort it. */
function sortable(caption: string, columns: Column[], choose: (id: number) => void): { element: HTMLElement; fill: (ids: number[]) => void } {
  let by = -1;
  let down = false;
  let shown = MOST;
  let ids: number[] = [];
  const body = h("tbody");
  const more = h("button", { type: "button", click: () => { shown += 1000; draw(); } });
  const heads = columns.map((column, i) =>
    h("th", { scope: "col", class: column.isText ? null : "n" }, h("button", { type: "button", class: "link", click: () => { down = by === i ? !down : !column.isText; by = i; draw(); } }, column.name)),
  );
  function draw(): void {
    heads.forEach((head, i) => {
      if (i === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    let order = ids;
    if (by >= 0) {
      const keyed = ids.map((id) => ({ id, key: columns[by].key(id) }));
      const compare = (x: number | string, y: number | string) => (typeof x === "number" ? x - (y as number) : alphabet.compare(x, y as string));
      keyed.sort((a, b) => (down ? compare(b.key, a.key) : compare(a.key, b.key)) || a.id - b.id);
      order = keyed.map(({ id }) => id);
    }
    body.replaceChildren(
      ...order.slice(0, shown).map((id) =>
        h("tr", {}, ...columns.map((column, i) => {
          const text = named(column.text(id));
          return h("td", { class: column.isText ? null : "n" }, i === 0 ? h("button", { type: "button", class: "link", click: () => choose(id) }, text) : text);
        })),
      ),
    );
    more.hidden = order.length <= shown;
    more.textContent = `Show more (${count(order.length - shown)} are not shown)`;
  }
  const table = h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...heads)), body);
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table);
  return { element: h("div", {}, scroll, more), fill: (list) => { ids = list; draw(); } };
}

export function rulesView(app: App, goTo: (id: number) => void): { element: HTMLElement; update: () => void } {
  const { tree, words } = app;
  /** Rules are sorted from left to right, as in the tree. */
  const places = new Map<number, number>();
  const columns: Column[] = [
    { name: "rule", key: (id) => places.get(id) ?? 0, text: (id) => words.ruleText(id), isText: true },
    { name: "answer", key: (id) => (tree.isClassifier ? words.answer(id) : tree.answer[id]), text: (id) => words.answer(id), isText: tree.isClassifier },
    { name: "rows", key: (id) => tree.weight[id], text: (id) => weight(tree.weight[id]) },
    { name: "share", key: (id) => tree.weight[id], text: (id) => percent(tree.weight[id] / tree.weight[0]) },
    quality(app),
  ];
  const table = sortable("Rules, one for every leaf", columns, goTo);
  const note = h("p", { class: "small" });
  return {
    element: h("div", {}, h("h2", {}, "Rules"), note, table.element),
    update: () => {
      const leaves = app.leaves();
      note.textContent = counted(leaves.length, "rule") + (app.isFiltered ? ` of ${count(app.stop.leaves)} pass the search and the filters` : "");
      places.clear();
      leaves.forEach((id, place) => places.set(id, place));
      table.fill(leaves);
    },
  };
}

function quality({ tree, words }: App): Column {
  return tree.isClassifier
    ? { name: "confidence", key: (id) => tree.confidence(id), text: (id) => percent(tree.confidence(id)) }
    : { name: "± sd", key: (id) => tree.mse[tree.speaker[id]], text: (id) => words.spread(id) };
}

export function leavesView(app: App, goTo: (id: number) => void): { element: HTMLElement; update: () => void } {
  const { tree, words, payload } = app;
  const columns: Column[] = [
    { name: "leaf", key: (id) => id, text: (id) => `node ${id}` },
    { name: "answer", key: (id) => (tree.isClassifier ? words.answer(id) : tree.answer[id]), text: (id) => words.answer(id), isText: tree.isClassifier },
    { name: "depth", key: (id) => tree.depth[id], text: (id) => String(tree.depth[id]) },
    { name: "rows", key: (id) => tree.rows[id], text: (id) => count(tree.rows[id]) },
    { name: "weight", key: (id) => tree.weight[id], text: (id) => weight(tree.weight[id]) },
    { name: words.errorName === "error" ? "wrong" : words.errorName === "cost per row" ? "cost" : "squared error", key: (id) => tree.error[id], text: (id) => Number.isInteger(tree.error[id]) ? count(tree.error[id]) : brief(tree.error[id], 4) },
    quality(app),
  ];
  if (payload.rule) {
    const rule = () => app.path.columns.prior_counts ?? payload.rule!;
    columns.push({ name: "expected error", key: (id) => atNode(tree, id, rule()).error, text: (id) => percent(atNode(tree, id, rule()).error) });
  }
  const table = sortable("Leaves of the tree in view", columns, goTo);
  const confusion = h("div");
  const use = h("div");
  return {
    element: h("div", {}, h("h2", {}, "Leaves"), table.element, confusion, use),
    update: () => {
      table.fill(app.leaves());
      confusion.replaceChildren(tree.isClassifier ? confusionTables(app) : "");
      use.replaceChildren(useTable(app));
    },
  };
}

/** Right and wrong answers, class by class: on the training rows, and on others where these are known. */
function confusionTables(app: App): HTMLElement {
  const { tree, payload, path, stop } = app;
  const n = tree.classes;
  const training = new Float64Array(n * n);
  for (let id = 0; id < tree.n; id++) {
    if (app.split[id] || !app.isThere(id)) continue;
    tree.countsAt(id).forEach((w, actual) => (training[actual * n + tree.answer[id]] += w));
  }
  const tables = [confusionTable(app, "training rows", training)];
  const known = path.columns.confusions ?? [];
  const found = known.find((one) => one.member === stop.member);
  let note: HTMLElement | null = null;
  if (found && payload.judged) tables.unshift(confusionTable(app, payload.judged, found.weights));
  else if (!payload.judged) note = h("p", { class: "small" }, "On the training rows only: nothing was judged by other rows.");
  else note = h("p", { class: "small" }, `Counts by ${payload.judged} are shown for the sizes that selectors choose on the path the page begins with.`);
  return h("div", {}, h("h2", {}, "Confusion matrix"), h("p", { class: "small" }, "A line for every actual class, a column for every answer."), note, h("div", { class: "matrices" }, ...tables));
}

function confusionTable({ tree, words }: App, by: string, matrix: ArrayLike<number>): HTMLElement {
  const n = tree.classes;
  const labels = tree.labels.map((_, label) => words.said(label));
  const cell = (actual: number, predicted: number) => {
    const w = matrix[actual * n + predicted];
    return h("td", { class: `n${actual === predicted ? " right" : w > 0 ? " wrong" : ""}` }, w === 0 ? "·" : weight(+w.toPrecision(6)));
  };
  const table = h(
    "table",
    {},
    h("caption", {}, `By ${by}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "actual ╲ answer"), ...labels.map((label) => h("th", { scope: "col", class: "n" }, named(label))))),
    h("tbody", {}, ...labels.map((label, actual) => h("tr", {}, h("th", { scope: "row" }, named(label)), ...labels.map((_, predicted) => cell(actual, predicted))))),
  );
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Confusion matrix by ${by}` }, table);
}

/** What the attributes do in the tree in view. */
function useTable(app: App): HTMLElement {
  const { tree, words } = app;
  const importance = tree.importances((id) => app.split[id] === 1);
  const use = tree.attributes.map(() => ({ splits: 0, rows: 0 }));
  for (let id = 0; id < tree.n; id++) {
    if (!app.split[id]) continue;
    const own = use[tree.attribute[id]];
    own.splits++;
    own.rows += tree.weight[id];
  }
  const order = use
    .map((own, attribute) => ({ ...own, attribute, share: importance[attribute] }))
    .filter((own) => own.splits > 0)
    .sort((a, b) => b.share - a.share || b.rows - a.rows);
  const unused = tree.attributes.length - order.length;
  return h(
    "div",
    {},
    h("h2", {}, "Use of attributes"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Use of attributes" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "attribute"), ...["splits", "rows divided", "feature importance (share of the total gain)"].map((t) => h("th", { scope: "col", class: "n" }, t)))),
        h("tbody", {}, ...order.map(({ attribute, splits, rows, share }) =>
          h("tr", {}, h("th", { scope: "row" }, named(words.name(attribute))), h("td", { class: "n" }, count(splits)), h("td", { class: "n" }, count(rows)), h("td", { class: "n" }, percent(share))))),
      ),
    ),
    h("p", { class: "small" }, unused > 0 ? `${counted(unused, "attribute")} of ${tree.attributes.length} not used.` : "All attributes are used."),
  );
}

export function dataView(app: App): HTMLElement {
  const { payload, words } = app;
  const { summary } = payload;
  if (!summary) {
    const line = (name: string, values?: string[]) => h("li", {}, named(name), values ? ` (${counted(values.length, "value")})` : " (numbers)");
    return h("div", {}, h("h2", {}, "Data"), h("p", {}, "A summary of the rows needs the data: secateur fit … --report gives one. The tree knows these attributes:"), h("ul", {}, ...payload.attributes.map((a, i) => line(words.name(i), a.values))));
  }
  const row = (name: string, column: ColumnSummary, attribute: number | null, values?: string[]) => {
    const number = (x: number) => (attribute === null ? brief(x, 5) : words.number(attribute, x));
    const range = column.quartiles
      ? `${number(column.quartiles[0])} … ${number(column.quartiles[2])} … ${number(column.quartiles[4])}`
      : listed(column, values ?? [], (label) => (attribute === null ? words.said(label) : words.value(attribute, label)));
    return h("tr", {}, h("th", { scope: "row" }, named(name)), h("td", {}, column.quartiles ? "numbers" : "list"), h("td", { class: "n" }, count(column.distinct)), h("td", { class: "n" }, column.missing ? `${count(column.missing)} (${percent(column.missing / summary.rows)})` : "–"), h("td", {}, named(range)), h("td", {}, bars(column.counts)));
  };
  const heads = ["column", "type", "different", "missing", "values (numbers: least … median … largest)", "distribution"];
  return h(
    "div",
    {},
    h("h2", {}, "Data"),
    h("p", {}, named(payload.data), `: ${counted(summary.rows, "row")}, ${counted(payload.attributes.length, "attribute")}, target `, named(payload.target.name)),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns of the data" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...heads.map((t, i) => h("th", { scope: "col", class: i === 2 || i === 3 ? "n" : null }, t)))),
        h("tbody", {}, row(`${payload.target.name} (target)`, summary.target, null, payload.target.classes), ...payload.attributes.map((a, i) => row(words.name(i), summary.attributes[i], i, a.values))),
      ),
    ),
  );
}

function listed(column: ColumnSummary, values: string[], text: (code: number) => string): string {
  const order = values.map((_, code) => code).sort((a, b) => (column.counts[b] ?? 0) - (column.counts[a] ?? 0));
  const shown = order.slice(0, 3).map((code) => `${text(code)} ${count(column.counts[code] ?? 0)}`);
  return shown.join(", ") + (order.length > 3 ? `, +${order.length - 3}` : "");
}

function bars(counts: number[]): HTMLElement {
  const most = Math.max(...counts.slice(0, 40), 1);
  const element = h("span", { class: "bars", "aria-hidden": "true" });
  for (const n of counts.slice(0, 40)) element.append(styled(h("span"), { height: `${Math.max((100 * n) / most, n > 0 ? 4 : 0)}%` }));
  return element;
}
