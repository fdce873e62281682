// The whole tree at once: one row of bands per depth, as wide as their rows, in the colour of their answer; grey what is pruned.
import type { App } from "./app.ts";
import { h, styled, textWidth } from "./dom.ts";
import { icicle, partOf } from "./layout.ts";
import { counted, percent } from "./numbers.ts";

const FONT = "11px system-ui, sans-serif";

export function iciclePanel(app: App): HTMLElement {
  const { tree, words, colours } = app;
  const part = partOf(tree.parent);
  const bands = icicle(part, tree.weight);
  const deepest = tree.depth.reduce((a, b) => Math.max(a, b), 0);
  const canvas = h("canvas", { class: "icicle", role: "img" });
  const where = h("p", { class: "small line where" });
  let rowHeight = 20;

  function size(): { width: number; height: number; rows: number } {
    const width = Math.max(canvas.parentElement?.clientWidth ?? 0, 200);
    const levels = deepest - tree.depth[app.focus] + 1;
    rowHeight = Math.max(3, Math.min(20, Math.floor(240 / levels)));
    const rows = Math.min(levels, Math.floor(360 / rowHeight));
    return { width, height: rows * rowHeight, rows };
  }

  /** Shows every band that is wide enough to be seen, from the focus down. */
  function each(width: number, rows: number, visit: (id: number, x: number, w: number, y: number, gone: boolean) => void): void {
    const from = bands.left[app.focus];
    const scale = width / (bands.width[app.focus] || 1);
    const top = tree.depth[app.focus];
    const stack = [app.focus];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const depth = tree.depth[id] - top;
      const w = bands.width[id] * scale;
      if (depth >= rows || w < 0.5) continue;
      visit(id, (bands.left[id] - from) * scale, w, depth * rowHeight, !app.isThere(id));
      for (let child = tree.first[id]; child < tree.first[id] + tree.count[id]; child++) stack.push(child);
    }
  }

  function draw(): void {
    const { width, height, rows } = size();
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    styled(canvas, { height: `${height}px` });
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = FONT;
    pen.textBaseline = "middle";
    const above = new Set<number>();
    for (let id = app.selected; id >= 0; id = tree.parent[id]) above.add(id);
    const outlined: [number, number, number][] = [];
    each(width, rows, (id, x, w, y, gone) => {
      pen.globalAlpha = !gone && app.isFiltered && !app.kept[id] ? 0.25 : 1;
      pen.fillStyle = gone ? colours.fallen : colours.ofNode(id);
      pen.fillRect(x, y, w > 3 ? w - 1 : w, rowHeight > 6 ? rowHeight - 1 : rowHeight);
      if (!gone && rowHeight >= 14 && w > 14) {
        const text = app.split[id] ? words.name(tree.attribute[id]) : words.answer(id);
        const letter = tree.isClassifier ? colours.letter(tree.answer[id]) : "";
        const shown = textWidth(text, FONT) < w - 8 ? text : !app.split[id] && letter ? letter : "";
        pen.fillStyle = colours.ink;
        if (shown) pen.fillText(shown, x + 4, y + rowHeight / 2);
      }
      if (above.has(id)) outlined.push([x, w, y]);
    });
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    for (const [x, w, y] of outlined) pen.strokeRect(x + 0.75, y + 0.75, Math.max(w - 2.5, 1), rowHeight - 2);
    canvas.setAttribute(
      "aria-label",
      `All ${counted(tree.n, "node")} as bands, width by rows; ${counted(app.stop.nodes, "node")} in the pruned tree. The tree below says the same in words.`,
    );
    drawWhere();
  }

  function drawWhere(): void {
    const parts: HTMLElement[] = [];
    if (app.focus > 0) {
      parts.push(h("span", {}, `In focus: ${words.ruleText(app.focus)} (${percent(tree.weight[app.focus] / tree.weight[0])} of the rows)`));
      parts.push(h("button", { type: "button", click: () => app.focusOn(tree.parent[app.focus]) }, "One up"));
      parts.push(h("button", { type: "button", click: () => app.focusOn(0) }, "Whole tree"));
    }
    where.replaceChildren(...parts);
  }

  function at(event: MouseEvent): number {
    const box = canvas.getBoundingClientRect();
    const { width, rows } = size();
    const x = ((event.clientX - box.left) / box.width) * width;
    const y = event.clientY - box.top;
    let found = -1;
    each(width, rows, (id, left, w, top) => {
      if (x >= left && x < left + w && y >= top && y < top + rowHeight) found = id;
    });
    while (found > 0 && !app.isThere(found)) found = tree.parent[found];
    return found;
  }
  canvas.addEventListener("click", (event) => {
    const id = at(event);
    if (id >= 0) app.select(id, true);
  });
  canvas.addEventListener("dblclick", (event) => {
    const id = at(event);
    if (id >= 0) app.focusOn(app.split[id] ? id : Math.max(tree.parent[id], 0));
  });
  canvas.addEventListener("mousemove", (event) => {
    const id = at(event);
    canvas.title = id < 0 ? "" : `${words.ruleText(id)}\n${words.rows(id)}, ${words.answer(id)}`;
  });

  let waiting = 0;
  const soon = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(draw);
  };
  app.onChange((change) => {
    if (change !== "row") soon();
  });
  new ResizeObserver(soon).observe(where);
  soon();
  return h(
    "section",
    { class: "panel", "aria-labelledby": "icicle-title" },
    h("h2", { id: "icicle-title" }, "The whole tree"),
    where,
    h("div", {}, canvas),
    h("p", { class: "small" }, "Width: rows. Grey: pruned. ", h("span", { class: "keys" }, "Click selects, double click takes into focus.")),
  );
}
