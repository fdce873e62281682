// The page: facts on top, then the size, the selected node, the whole tree, the part in focus and what-if; other views in tabs.
import { App } from "./app.ts";
import { errorText, pathName, sizePanel } from "./curve.ts";
import { detailsPanel } from "./details.ts";
import { h, named } from "./dom.ts";
import { iciclePanel } from "./icicle.ts";
import { inWords } from "./leafvalues.ts";
import { modelText } from "./model.ts";
import { nearestChangeNow } from "./nearest.ts";
import { count, counted, rounded } from "./numbers.ts";
import type { Payload } from "./payload.ts";
import { readState, writeState } from "./state.ts";
import { dataView, leavesView, rulesView } from "./tables.ts";
import { treePanel } from "./treeview.ts";
import { pastedRow, whatIfPanel } from "./whatif.ts";

function start(): void {
  const page = document.getElementById("page")!;
  const payload = JSON.parse(document.getElementById("tree-data")!.textContent!) as Payload;
  const app = new App(payload);
  readState(app);
  const live = h("div", { class: "away", role: "status", "aria-live": "polite" });
  let saying = 0;
  const say = (text: string) => {
    clearTimeout(saying);
    saying = window.setTimeout(() => (live.textContent = text), 250);
  };
  const views = tabs(app, say);
  page.append(header(app, views.list, say), live, h("main", {}, ...views.panels));
  app.onChange(() => writeState(app));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => refresh(app));
  // For tests and the curious: what the page computes, without its views.
  Object.assign(window, {
    secateur: {
      app,
      model: () => modelText(app.path, app.stop.member),
      nearest: (text: string) => {
        const row = pastedRow(app, text);
        return typeof row === "string" ? row : nearestChangeNow(app, row);
      },
      predict: (text: string) => {
        const row = pastedRow(app, text);
        return typeof row === "string" ? row : app.tree.predict(row, app.split);
      },
    },
  });
}

function refresh(app: App): void {
  app.colours.refresh();
  app.tell("theme");
}

function header(app: App, tabList: HTMLElement, say: (text: string) => void): HTMLElement {
  const { payload, words, tree } = app;
  const facts = h("p", { class: "facts" });
  const baseline = tree.error[0] / tree.weight[0];
  const update = () => {
    const { stop } = app;
    const answer = tree.isClassifier ? `always “${words.answer(0)}”` : `always ${words.answer(0)}`;
    const logLoss = app.isFitted(stop) ? payload.estimate?.log_loss : undefined;
    facts.replaceChildren(
      h("strong", {}, counted(stop.leaves, "leaf", "leaves")),
      ` · ${errorText(app, stop)} `,
      named(`(baseline, ${answer}: ${words.error(baseline)})`),
      logLoss ? ` · log loss ${rounded(logLoss[0], 3)} (baseline ${rounded(logLoss[1], 3)})` : "",
    );
  };
  app.onChange((change) => {
    if (change === "member") update();
  });
  update();
  const target = h("span", { class: "target" });
  const labels = tree.labels.map((_, label) => words.said(label));
  target.append(named(payload.target.name), labels.length ? ": " : " (numbers)");
  labels.slice(0, 8).forEach((label, i) => {
    const key = h("span", { class: "key", "aria-hidden": "true" }, app.colours.letter(i));
    const paint = () => (key.style.background = app.colours.ofClass(i));
    app.onChange((change) => change === "theme" && paint());
    paint();
    target.append(i > 0 ? " " : "", key, " ", named(label));
  });
  if (labels.length > 8) target.append(` +${labels.length - 8}`);
  return h(
    "header",
    {},
    h("div", { class: "line" }, h("h1", {}, named(payload.title)), target),
    facts,
    h("div", { class: "line tools" }, tabList, finding(app, say), themeButton(app), h("button", { type: "button", click: () => window.print() }, "Print")),
  );
}

function themeButton(app: App): HTMLElement {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const button = h("button", { type: "button", id: "theme", click: () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
    refresh(app);
  } });
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  name();
  return button;
}

function finding(app: App, say: (text: string) => void): HTMLElement {
  const told = h("span", { class: "small", id: "found" });
  let at = -1;
  const input = h("input", { type: "search", id: "find", placeholder: "attribute, class …" });
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      at = -1;
      app.setFilter({ query: input.value });
      const text = input.value.trim() === "" ? "" : counted(app.found.length, "match", "matches");
      told.textContent = text;
      if (text) say(text);
    }, 60);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || app.found.length === 0) return;
    at = (at + (event.shiftKey ? app.found.length - 1 : 1)) % app.found.length;
    app.select(app.found[at], true);
    told.textContent = `${at + 1} of ${count(app.found.length)}`;
  });
  const number = (id: string, text: string, set: (share: number) => void) => {
    const field = h("input", { id, type: "number", min: 0, max: 100, step: 1, value: 0, input: () => set(Math.max(0, Math.min(Number(field.value) || 0, 100)) / 100) });
    return h("span", {}, h("label", { for: id }, text), field);
  };
  return h(
    "div",
    { class: "find", role: "search" },
    h("label", { for: "find" }, "Find"),
    input,
    told,
    number("support", "support ≥ %", (share) => app.setFilter({ minSupport: share })),
    app.tree.isClassifier ? number("confidence", "confidence ≥ %", (share) => app.setFilter({ minConfidence: share })) : null,
  );
}

function tabs(app: App, say: (text: string) => void): { list: HTMLElement; panels: HTMLElement[] } {
  const goTo = (id: number) => {
    open(0);
    app.select(id, true);
  };
  const rules = rulesView(app, goTo);
  const leaves = leavesView(app, goTo);
  const top = h("div", { class: "columns" }, sizePanel(app, say), detailsPanel(app, say));
  const views: { name: string; element: () => HTMLElement; update?: () => void }[] = [
    { name: "Tree", element: () => h("div", {}, top, iciclePanel(app), treePanel(app), whatIfPanel(app)) },
    { name: "Rules", element: () => rules.element, update: rules.update },
    { name: "Leaves", element: () => leaves.element, update: leaves.update },
    { name: "Data", element: () => dataView(app) },
    { name: "How it was made", element: () => aboutView(app) },
  ];
  const list = h("div", { role: "tablist", "aria-label": "Views" });
  const panels = views.map((_, i) => h("div", { role: "tabpanel", id: `panel-${i}`, "aria-labelledby": `tab-${i}`, tabindex: -1, hidden: i > 0 }));
  const buttons = views.map((view, i) => h("button", { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": `panel-${i}`, "aria-selected": String(i === 0), tabindex: i === 0 ? 0 : -1, click: () => open(i) }, view.name));
  let current = 0;
  const made = new Set([0]);
  panels[0].append(views[0].element());
  function open(i: number): void {
    current = i;
    if (!made.has(i)) panels[i].append(views[i].element());
    made.add(i);
    buttons.forEach((button, j) => {
      button.setAttribute("aria-selected", String(i === j));
      button.tabIndex = i === j ? 0 : -1;
      panels[j].hidden = i !== j;
    });
    views[i].update?.();
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = step ? (current + step + buttons.length) % buttons.length : { Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    open(to);
    buttons[to].focus();
  });
  list.append(...buttons);
  app.onChange((change) => {
    if (change !== "row" && change !== "view") views[current].update?.();
  });
  return { list, panels };
}

/** What mistakes cost, the dearest first. */
function costsText({ payload, words, tree }: App): string {
  const mistakes = payload.costs!.map((cost, i) => ({ cost, actual: Math.floor(i / tree.classes), answer: i % tree.classes }));
  const dear = mistakes.filter(({ cost, actual, answer }) => actual !== answer && cost !== 0).sort((a, b) => b.cost - a.cost);
  const shown = dear.slice(0, 6).map(({ cost, actual, answer }) => `${words.said(actual)} taken for ${words.said(answer)} costs ${rounded(cost, 5)}`);
  return `${shown.join(", ")}${dear.length > 6 ? `, +${dear.length - 6}` : ""}; answers are those that cost least`;
}

/** What becomes of rows without a value. */
function missingText({ tree }: App): string {
  const shared = "a row without a known value goes down every branch, in proportion to the branches' weights";
  return tree.missing.some((branch) => branch >= 0) ? `where a test says (or missing), rows without a value go there; elsewhere ${shared}` : shared;
}

function aboutView(app: App): HTMLElement {
  const { payload, words } = app;
  const facts: [string, string][] = [
    ["scheme", payload.scheme],
    ["data", payload.data || "unknown"],
    ["rows", count(payload.rows)],
    ["seed", String(payload.seed)],
    ["tree grown by", payload.made_by],
    ["page written by", payload.written_by],
    ["command", payload.command || "unknown"],
    ["leaves before pruning", count(payload.full_leaves)],
    ["missing values", missingText(app)],
  ];
  if (payload.leaf_values) facts.push(["leaf values", inWords(payload.leaf_values, (x) => rounded(x, 6))]);
  if (payload.judged) facts.push(["tree sizes compared by", payload.judged]);
  if (payload.estimate) facts.push(["error on new rows", `${words.error(payload.estimate.error)} ± ${words.se(payload.estimate.error, payload.estimate.se)} (${payload.estimate.method})`]);
  if (payload.estimate?.brier) facts.push(["Brier score", `${rounded(payload.estimate.brier[0], 3)} (baseline ${rounded(payload.estimate.brier[1], 3)})`]);
  if (payload.costs) facts.push(["costs", costsText(app)]);
  return h(
    "div",
    {},
    h("h2", {}, "How it was made"),
    ...payload.notes.map((note) => h("p", { class: "note" }, note)),
    h("dl", { class: "facts-list" }, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, named(value))])),
    h("h2", {}, "Paths"),
    h("ul", {}, ...payload.paths.map((path) => h("li", {}, h("strong", {}, pathName(path.pruner)), ` ${path.one_line}. `, h("span", { class: "small" }, path.paper)))),
  );
}

start();
