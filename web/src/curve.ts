// Size: the path, the slider, and the curve of error against the number of leaves.
import type { App } from "./app.ts";
import { copy, download, h, svg } from "./dom.ts";
import { modelText } from "./model.ts";
import { count, counted, rounded } from "./numbers.ts";
import type { Stop } from "./paths.ts";

const HEIGHT = 220;
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 12, 24, 34];
const STEPS = 1000;

export function sizePanel(app: App, say: (text: string) => void): HTMLElement {
  const { words, payload } = app;
  const choice = h("select", { id: "path", change: () => app.choosePath(Number(choice.value)) });
  payload.paths.forEach((path, i) => {
    choice.append(h("option", { value: i }, pathName(path.pruner)));
  });
  const picture = svg("svg", { class: "curve", role: "img" });
  const slider = h("input", { type: "range", id: "size", min: 0, max: STEPS, step: 1 });
  const told = h("output", { for: "size", class: "told" });
  const marks = h("div", { class: "marks", role: "group", "aria-label": "Sizes that selectors choose" });
  const command = h("code", { class: "command" });
  const about = h("p", { class: "small" });
  const hint = h("p", { class: "small" });
  const steps = h("tbody");
  const table = h("details", { class: "small" }, h("summary", {}, "The same as a table"));
  table.addEventListener("toggle", () => fillTable());
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Members of the path" });
  scroll.append(
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...["leaves", "training", payload.judged ?? "validated", "± SE"].map((t) => h("th", { scope: "col" }, t)))),
      steps,
    ),
  );
  table.append(scroll);

  const position = (leaves: number) => {
    const most = Math.log(app.path.stops[app.path.stops.length - 1].leaves);
    return most > 0 ? Math.log(leaves) / most : 0;
  };
  const atPosition = (place: number) => {
    const { stops } = app.path;
    let best = 0;
    stops.forEach((stop, i) => {
      if (Math.abs(position(stop.leaves) - place) < Math.abs(position(stops[best].leaves) - place) - 1e-12) best = i;
    });
    return best;
  };
  slider.addEventListener("input", () => app.moveTo(atPosition(Number(slider.value) / STEPS)));
  slider.addEventListener("keydown", (event) => {
    const last = app.path.stops.length - 1;
    const page = Math.max(1, Math.round(last / 10));
    const to: Record<string, number> = {
      ArrowLeft: app.stopIndex - 1,
      ArrowDown: app.stopIndex - 1,
      ArrowRight: app.stopIndex + 1,
      ArrowUp: app.stopIndex + 1,
      PageDown: app.stopIndex - page,
      PageUp: app.stopIndex + page,
      Home: 0,
      End: last,
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    app.moveTo(to[event.key]);
  });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    app.moveTo(atPosition((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)));
  });

  function fillTable(): void {
    if (!table.open) return;
    const { stops } = app.path;
    const every = Math.ceil(stops.length / 200);
    steps.replaceChildren(
      ...stops
        .filter((_, i) => i % every === 0 || i === stops.length - 1 || i === app.stopIndex)
        .map((stop) =>
          h(
            "tr",
            { class: stop === app.stop ? "here" : null },
            h("td", {}, count(stop.leaves)),
            h("td", {}, words.error(stop.trainingError)),
            h("td", {}, words.error(stop.error)),
            h("td", {}, words.se(stop.error, stop.se)),
          ),
        ),
    );
  }

  function drawMarks(): void {
    const { path } = app;
    const by = new Map<number, string[]>();
    for (const [label, member] of path.columns.marks) by.set(member, [...(by.get(member) ?? []), label]);
    const buttons = Array.from(by)
      .map(([member, labels]) => ({ stop: path.stops.findIndex((stop) => stop.member === member), labels }))
      .filter(({ stop }) => stop >= 0)
      .sort((a, b) => a.stop - b.stop);
    marks.replaceChildren(
      ...buttons.map(({ stop, labels }) =>
        h(
          "button",
          { type: "button", "aria-pressed": String(stop === app.stopIndex), click: () => app.moveTo(stop) },
          `${labels.join(", ")}: ${count(path.stops[stop].leaves)}`,
        ),
      ),
    );
  }

  function update(): void {
    const { path, stop } = app;
    choice.value = String(app.pathIndex);
    slider.value = String(Math.round(position(stop.leaves) * STEPS));
    const words1 = `${counted(stop.leaves, "leaf", "leaves")}, ${errorText(app, stop)}`;
    slider.setAttribute("aria-valuetext", words1);
    told.textContent = `${counted(stop.leaves, "leaf", "leaves")} of ${count(path.stops[path.stops.length - 1].leaves)}`;
    const { parameter } = path.columns;
    about.textContent =
      (stop.member < 0
        ? "The whole tree. "
        : parameter === ""
          ? ""
          : `${parameter} = ${rounded(path.parameter(stop.member), 5)}. `) +
      `${path.columns.pruner} ${path.columns.one_line}. (${path.columns.paper})`;
    command.textContent = path.command(stop.member);
    hint.replaceChildren(...(payload.judging_hint ? ["The curve shows training errors only. With errors on rows that the trees were not grown from: ", h("code", {}, payload.judging_hint)] : []));
    draw(app, picture, position);
    drawMarks();
    fillTable();
  }
  app.onChange((change) => {
    if (change === "member") {
      update();
      say(`${counted(app.stop.leaves, "leaf", "leaves")}, ${errorText(app, app.stop)}`);
    }
  });
  update();
  new ResizeObserver(() => draw(app, picture, position)).observe(picture);

  const save = h("button", {
    type: "button",
    id: "save",
    click: () => download("pruned.json", modelText(app.path, app.stop.member)),
  }, "Save this tree");
  const copyButton = h("button", { type: "button", click: () => void copy(command.textContent ?? "").then(() => say("Copied")) }, "Copy command");
  return h(
    "section",
    { class: "panel size", "aria-labelledby": "size-title" },
    h("h2", { id: "size-title" }, "Size"),
    h("div", { class: "line" }, h("label", { for: "path" }, "Path"), choice, told),
    picture,
    h("label", { for: "size", class: "away" }, "Number of leaves"),
    slider,
    marks,
    hint,
    about,
    h("p", { class: "line" }, save, payload.recipe ? copyButton : null),
    payload.recipe ? h("pre", { class: "small", tabindex: 0, "aria-label": "Command" }, command) : null,
    table,
  );
}

export function pathName(pruner: string): string {
  return pruner === "post" ? "best-first (post)" : pruner;
}

/** The error of a tree size: of the tree as fitted the estimate that the fit reports, of others the cross-validated or the training error. */
export function errorText(app: App, stop: Stop): string {
  const { words } = app;
  const estimate = app.isFitted(stop) ? app.payload.estimate : null;
  if (estimate) return `${words.errorName} ${words.error(estimate.error)} ± ${words.se(estimate.error, estimate.se)} on new rows`;
  if (stop.error === null) return `training ${words.errorName} ${words.error(stop.trainingError)}`;
  return `cross-validated ${words.errorName} ${words.error(stop.error)} ± ${words.se(stop.error, stop.se)}`;
}

function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((s) => s >= rough) ?? rough;
  const found: number[] = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-6; x += step) found.push(x);
  return found;
}

/** A number at the axis: thousands and millions by a letter, as there is little room. */
function tickText(words: App["words"], tick: number): string {
  const text = words.scaled(+tick.toPrecision(8)).replace(" %", "%");
  if (text.length <= 6 || tick < 10_000 || tick >= 1e12) return text;
  const unit = tick >= 1e9 ? 1e9 : tick >= 1e6 ? 1e6 : 1e3;
  return `${+(tick / unit).toPrecision(4)}${{ 1e9: "G", 1e6: "M", 1e3: "k" }[unit]}`;
}

/** At most this many stops, for drawing: a line of ten thousand points looks the same. */
function thinned(stops: Stop[]): Stop[] {
  const every = Math.ceil(stops.length / 800);
  return every === 1 ? stops : stops.filter((_, i) => i % every === 0 || i === stops.length - 1);
}

function draw(app: App, picture: SVGSVGElement, position: (leaves: number) => number): void {
  const { words } = app;
  // One unit is one pixel, so that texts have one size on every screen.
  const WIDTH = Math.max(picture.clientWidth, 240);
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const { stops } = app.path;
  const x = (stop: Stop) => LEFT + position(stop.leaves) * (WIDTH - LEFT - RIGHT);
  let high = 0;
  let low = Infinity;
  for (const stop of stops) {
    high = Math.max(high, words.onScale(stop.trainingError), words.onScale((stop.error ?? 0) + (stop.se ?? 0)));
    low = Math.min(low, words.onScale(stop.trainingError), stop.error === null ? Infinity : words.onScale(stop.error - (stop.se ?? 0)));
  }
  low = Math.max(0, low < high / 2 ? 0 : low - (high - low) / 4);
  if (!(high > low)) high = low + 1;
  const y = (error: number) => TOP + (1 - (error - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const line = (of: (stop: Stop) => number, list: Stop[]) =>
    list.map((stop, i) => `${i ? "L" : "M"}${x(stop).toFixed(1)} ${y(words.onScale(of(stop))).toFixed(1)}`).join("");
  // The band ends where the axis does.
  const floor = app.tree.isClassifier ? low : low * low;
  const few = thinned(stops);
  const judged = few.filter((stop) => stop.error !== null);
  const parts: SVGElement[] = [];
  for (const tick of ticks(low, high)) {
    parts.push(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }));
    parts.push(svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, tickText(words, tick)));
  }
  const most = stops[stops.length - 1].leaves;
  for (let leaves = 1; leaves <= most; leaves *= most > 200 ? 10 : most > 30 ? 4 : 2) {
    const at = LEFT + position(leaves) * (WIDTH - LEFT - RIGHT);
    if (at < WIDTH - RIGHT - 55) parts.push(svg("text", { x: at, y: HEIGHT - 18, "text-anchor": "middle" }, count(leaves)));
  }
  parts.push(svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 18, "text-anchor": "end" }, count(most)));
  parts.push(svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, "leaves (log scale)"));
  if (judged.length > 0) {
    const back = [...judged].reverse();
    const upper = line((stop) => stop.error! + (stop.se ?? 0), judged);
    const lower = line((stop) => Math.max(stop.error! - (stop.se ?? 0), floor), back).replace("M", "L");
    parts.push(svg("path", { class: "band", d: `${upper}${lower}Z` }));
    parts.push(svg("path", { class: "validated", d: line((stop) => stop.error!, judged) }));
  }
  parts.push(svg("path", { class: "training", d: line((stop) => stop.trainingError, few) }));
  for (const [, member] of app.path.columns.marks) {
    const stop = stops.find((s) => s.member === member);
    if (stop) parts.push(svg("path", { class: "mark", d: `M${x(stop)} ${HEIGHT - BOTTOM}l-4 7h8z` }));
  }
  const here = app.stop;
  parts.push(svg("line", { class: "cursor", x1: x(here), x2: x(here), y1: TOP, y2: HEIGHT - BOTTOM }));
  parts.push(svg("circle", { class: "cursor", cx: x(here), cy: y(words.onScale(here.error ?? here.trainingError)), r: 4.5 }));
  const name = app.payload.judged ?? "";
  const long = WIDTH > 420 ? ", band ± 1 SE" : "";
  const legend = judged.length > 0 ? `solid: ${name}${long} · dashed: training` : "dashed: training";
  parts.push(svg("text", { x: WIDTH - RIGHT, y: 12, class: "legend", "text-anchor": "end" }, legend));
  picture.setAttribute("aria-label", `${words.errorName} against the number of leaves; ${errorText(app, here)} at ${counted(here.leaves, "leaf", "leaves")}`);
  picture.replaceChildren(...parts);
}
