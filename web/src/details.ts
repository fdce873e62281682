// What is known of the selected node.
import type { App } from "./app.ts";
import { copy, h, named } from "./dom.ts";
import { brief, percent, weight } from "./numbers.ts";
import { atNode } from "./reliability.ts";
import { total } from "./leafvalues.ts";
import { figure } from "./distribution.ts";
import { readRivals, rivalsTable } from "./rivals.ts";
import { mix } from "./treeview.ts";

export function detailsPanel(app: App, say: (text: string) => void): HTMLElement {
  const { tree, words, payload } = app;
  const body = h("div", { class: "details" });
  const rivals = readRivals(payload);

  function rule(id: number): HTMLElement {
    const tests = words.rule(id);
    if (tests.length === 0) return h("p", {}, "All rows");
    return h("ul", { class: "rule" }, ...tests.map(([attribute, asked]) => h("li", {}, named(words.phrase(attribute, asked)))));
  }

  /** The error below a node in the pruned tree. */
  function errorBelow(id: number): number {
    let sum = 0;
    const stack = [id];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!app.split[node]) sum += tree.error[node];
      else for (let child = tree.first[node]; child < tree.first[node] + tree.count[node]; child++) stack.push(child);
    }
    return sum;
  }

  function classes(id: number): HTMLElement | null {
    if (!tree.isClassifier) return null;
    const counts = tree.countsAt(id);
    const all = total(counts) || 1;
    const said = tree.numbersOf(id);
    const order = Array.from(counts, (w, label) => ({ w, label })).filter(({ w, label }) => w > 0 || (tree.leafValues && said[label] > 0.0005));
    order.sort((a, b) => b.w - a.w || said[b.label] - said[a.label]);
    const shown = order.slice(0, 8);
    const rest = order.length - shown.length;
    return h(
      "table",
      { class: "classes" },
      h("caption", { class: "away" }, "Classes at this node"),
      h("thead", { class: tree.leafValues ? "" : "away" }, h("tr", {}, h("th", { scope: "col" }, "class"), h("th", { scope: "col" }, "weight"), h("th", { scope: "col" }, "share"), tree.leafValues ? h("th", { scope: "col" }, "predicted") : null)),
      h(
        "tbody",
        {},
        ...shown.map(({ w, label }) => {
          const key = h("span", { class: "key", "aria-hidden": "true" }, app.colours.letter(label));
          key.style.background = app.colours.ofClass(label);
          return h("tr", {}, h("th", { scope: "row" }, key, " ", named(words.said(label))), h("td", {}, weight(w)), h("td", {}, percent(w / all)), tree.leafValues ? h("td", {}, percent(said[label])) : null);
        }),
        rest > 0 ? h("tr", {}, h("th", { scope: "row" }, `${rest} more`), h("td", {}), h("td", {}), tree.leafValues ? h("td", {}) : null) : null,
      ),
    );
  }

  function facts(id: number): [string, string][] {
    const list: [string, string][] = [["rows", `${words.rows(id)}, ${percent(tree.weight[id] / tree.weight[0])} of all`]];
    const speaker = tree.speaker[id];
    const sure = tree.leafValues ? ` with ${percent(tree.confidence(id))}` : "";
    list.push(["prediction", tree.isClassifier ? `${words.answer(id)}${sure}` : `${words.answer(id)} ± ${words.spread(id)}`]);
    if (tree.leafValues && !tree.isClassifier && tree.weight[id] > 0) {
      list.push([tree.median ? "median" : "mean", brief((tree.median ?? tree.mean)[id], 5)]);
    }
    const per = (x: number) => (!tree.isClassifier ? brief(Math.sqrt(x / (tree.weight[id] || 1)), 4) : tree.costs ? brief(x, 5) : weight(x));
    const name = !tree.isClassifier ? "RMSE" : tree.costs ? "cost" : "wrong";
    const leaf = `${per(tree.error[id])}${tree.isClassifier && !tree.costs ? ` (${percent(tree.error[id] / (tree.weight[id] || 1))})` : ""}`;
    if (app.split[id]) {
      list.push([`${name} as a leaf`, leaf], [`${name} of the subtree`, per(errorBelow(id))]);
      list.push(["splits on", words.name(tree.attribute[id])], ["gain", brief(tree.gain[id], 4)]);
    } else list.push([name, leaf]);
    if (!tree.isLeaf(id)) {
      const { columns } = app.path;
      const falls = columns.split_in && falling(id);
      if (falls) list.push(["pruned above", falls]);
    }
    const rule = app.path.columns.prior_counts ?? payload.rule;
    if (rule && payload.rule) {
      const { error, sd } = atNode(tree, id, rule);
      list.push(["in-sample error estimate", `${percent(error)} ± ${percent(sd)} (as a leaf, k-norm)`]);
    }
    const most = tree.overruled(id);
    if (most !== null) list.push(["note", `most of its rows are ${words.said(most)}: shrunken leaf values count the rows above it, too`]);
    if (speaker !== id) list.push(["note", "no training rows; it answers as the node above"]);
    return list;
  }

  /** The parameter at which a split falls, on a nested path. */
  function falling(id: number): string | null {
    const { columns } = app.path;
    let members = 0;
    for (let low = 0, high = columns.parameters.length; low < high; members = low) {
      const middle = (low + high) >> 1;
      if (app.path.isSplitIn(id, middle)) low = middle + 1;
      else high = middle;
      members = low;
    }
    return members < columns.parameters.length ? `${columns.parameter} = ${brief(columns.parameters[members], 4)}` : "never on this path";
  }

  function update(): void {
    const id = app.selected;
    body.replaceChildren(
      rule(id),
      figure(app, id) ?? mix(app, id),
      h("dl", {}, ...facts(id).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, named(value))])),
      classes(id) ?? "",
      app.split[id] ? (rivalsTable(app, rivals, id) ?? "") : "",
      h(
        "p",
        { class: "line" },
        h("button", { type: "button", click: () => void copy(words.ruleText(id)).then(() => say("Copied")) }, "Copy rule"),
        h("button", { type: "button", click: () => app.focusOn(app.split[id] ? id : Math.max(tree.parent[id], 0)) }, "Take into focus"),
      ),
    );
  }
  app.onChange((change) => {
    if (change !== "row") update();
  });
  update();
  return h("section", { class: "panel", "aria-labelledby": "details-title" }, h("h2", { id: "details-title" }, "Selected node"), body);
}
