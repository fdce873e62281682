// The part of the tree in focus: nodes and edges, as a WAI-ARIA tree that the keyboard moves in, or as a nested list.
import type { App } from "./app.ts";
import { histogram } from "./distribution.ts";
import { h, named, styled, svg, textWidth } from "./dom.ts";
import { tidy, partOf } from "./layout.ts";
import { count, counted, percent, weight } from "./numbers.ts";
import { total } from "./leafvalues.ts";

const TEXT = "13px system-ui, sans-serif";
const SMALL = "11px system-ui, sans-serif";
const GAPS = { siblings: 10, cousins: 22, levels: 34 };
// Names are shown as a whole, within reason, and sets of values in this many characters.
const [LABEL, MOST, SET] = [16, 600, 60];
/** The width of a printed page, and the smallest size of a drawing on it. */
const [PAPER, READABLE] = [680, 0.55];

export function treePanel(app: App): HTMLElement {
  const { tree, words } = app;
  const edges = svg("svg", { class: "edges", "aria-hidden": "true" });
  const items = h("div", { role: "tree", "aria-label": "Decision tree", class: "nodes" });
  const stage = h("div", { class: "stage" }, edges, items);
  const frame = h("div", { class: "frame" }, stage);
  const list = h("div", { class: "list" });
  let zoom = 1;
  let asList = window.matchMedia("(max-width: 600px)").matches;
  let drawnSize = { width: 0, height: 0 };

  const modeButton = h("button", { type: "button", id: "as-list", click: () => setMode(!asList) });
  const zoomButtons = h(
    "span",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    h("button", { type: "button", "aria-label": "Smaller", click: () => setZoom(zoom / 1.25) }, "−"),
    h("button", { type: "button", click: () => setZoom(fitting()) }, "Fit"),
    h("button", { type: "button", "aria-label": "Larger", click: () => setZoom(zoom * 1.25) }, "+"),
  );

  function fitting(): number {
    return Math.min(1, (frame.clientWidth - 8) / Math.max(drawnSize.width, 1));
  }

  function setZoom(to: number): void {
    zoom = Math.max(0.2, Math.min(to, 3));
    styled(items, { transform: `scale(${zoom})` });
    styled(edges, { transform: `scale(${zoom})` });
    styled(stage, { width: `${drawnSize.width * zoom}px`, height: `${drawnSize.height * zoom}px` });
  }

  function setMode(to: boolean): void {
    asList = to;
    draw(false);
  }

  /** The order in which a reader meets the nodes: a node before what is below it. */
  function inOrder(nodes: number[], open: Set<number>): number[] {
    const order: number[] = [];
    const stack = nodes.slice(0, 1);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      order.push(id);
      if (!open.has(id)) continue;
      for (let child = tree.first[id] + tree.count[id] - 1; child >= tree.first[id]; child--) stack.push(child);
    }
    return order;
  }

  function below(id: number): number {
    let leaves = 0;
    const stack = [id];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!app.split[node]) leaves++;
      else for (let child = tree.first[node]; child < tree.first[node] + tree.count[node]; child++) stack.push(child);
    }
    return leaves;
  }

  /** Everything a node says, for those who hear it. */
  function spoken(id: number, isOpen: boolean): string {
    const asks = id === app.focus ? (id === 0 ? "All rows" : words.ruleText(id)) : words.branchFull(id);
    const says = app.split[id]
      ? `asks for ${words.name(tree.attribute[id])}${isOpen ? "" : `, ${counted(below(id), "leaf", "leaves")} below`}, mostly ${words.answer(id)}`
      : `predicts ${words.answer(id)}`;
    const sure = tree.isClassifier ? `, ${tree.leafValues ? "with " : ""}${percent(tree.confidence(id))}${tree.leafValues ? "" : " of them"}` : ` ± ${words.spread(id)}`;
    return `${asks}: ${says}${sure}; ${words.rows(id)}`;
  }

  /** What the edges below a node say. */
  const labels = new Map<number, string[]>();

  function labelOf(id: number): string {
    if (id === app.focus) return id === 0 ? "" : "…";
    const parent = tree.parent[id];
    if (!labels.has(parent)) labels.set(parent, words.branches(parent, SET));
    return labels.get(parent)![id - tree.first[parent]];
  }

  function title(id: number): string {
    return app.split[id] ? words.name(tree.attribute[id]) : words.answer(id);
  }

  function widthOf(id: number): number {
    const inner = Math.max(textWidth(title(id), `600 ${TEXT}`) + (app.split[id] ? 22 : 42), textWidth(labelOf(id), SMALL) + 8, textWidth(support(id), SMALL) + 18, 76);
    return Math.min(inner, MOST);
  }

  function support(id: number): string {
    return `${weight(tree.weight[id])} · ${tree.isClassifier ? percent(tree.confidence(id), 0) : `± ${words.spread(id)}`}`;
  }

  function nodeElement(id: number, place: number, siblings: number, level: number, open: Set<number>): HTMLElement {
    const isSplit = app.split[id] === 1;
    const isOpen = open.has(id);
    const faded = app.isFiltered && !app.kept[id];
    const element = h(
      "div",
      {
        role: "treeitem",
        id: `node-${id}`,
        class: `node${isSplit ? "" : " leaf"}${faded ? " faded" : ""}${app.found.includes(id) ? " found" : ""}`,
        tabindex: id === app.selected ? 0 : -1,
        "aria-level": level,
        "aria-posinset": place + 1,
        "aria-setsize": siblings,
        "aria-expanded": isSplit ? String(isOpen) : null,
        "aria-selected": String(id === app.selected),
        "data-node": id,
      },
      h("span", { class: "away" }, spoken(id, isOpen)),
      h("span", { class: "edge", "aria-hidden": "true", title: id > 0 ? words.branchFull(id) : null }, labelOf(id)),
    );
    const box = h("span", { class: "box", "aria-hidden": "true", title: title(id) }, h("span", { class: "title" }, named(title(id))), mix(app, id), h("span", { class: "support" }, support(id)));
    if (!isSplit) styled(box, { "border-color": app.colours.ofNode(id), "border-inline-start-width": "5px" });
    if (!isSplit && tree.isClassifier) box.prepend(h("span", { class: "letter", "aria-hidden": "true" }, app.colours.letter(tree.answer[id])));
    element.append(box);
    if (isSplit && !isOpen) element.append(h("span", { class: "more", "aria-hidden": "true" }, `+${count(below(id))}`));
    return element;
  }

  function draw(keepFocus: boolean): void {
    const { nodes, open } = app.shown();
    const had = keepFocus && items.contains(document.activeElement);
    modeButton.textContent = asList ? "Show as tree" : "Show as list";
    frame.hidden = asList;
    zoomButtons.hidden = asList;
    list.hidden = !asList;
    if (asList) {
      list.replaceChildren(nested(nodes[0], open));
      return;
    }
    if (!nodes.includes(app.selected)) app.selected = nodes[0];
    const places = new Map(nodes.map((id, place) => [id, place]));
    const part = partOf(nodes.map((id, place) => (place === 0 ? -1 : places.get(tree.parent[id])!)));
    const widths = nodes.map(widthOf);
    const heights = nodes.map((id) => LABEL + 50 + (app.split[id] && !open.has(id) ? 14 : 0));
    const placed = tidy(part, widths, heights, GAPS);
    const all = tree.weight[app.focus] || 1;
    const lines: SVGElement[] = [];
    const elements: HTMLElement[] = [];
    for (const id of inOrder(nodes, open)) {
      const place = places.get(id)!;
      const parent = tree.parent[id];
      const isTop = place === 0;
      const element = nodeElement(id, isTop ? 0 : id - tree.first[parent], isTop ? 1 : tree.count[parent], part.depths[place] + 1, open);
      styled(element, {
        left: `${placed.x[place] - widths[place] / 2}px`,
        top: `${placed.y[place]}px`,
        width: `${widths[place]}px`,
      });
      elements.push(element);
      if (isTop) continue;
      const [x1, y1] = [placed.x[part.parents[place]], placed.y[part.parents[place]] + LABEL + 48];
      const [x2, y2] = [placed.x[place], placed.y[place]];
      const middle = (y1 + y2) / 2;
      const thick = Math.max(1, Math.min(14, (14 * tree.weight[id]) / all));
      const faded = app.isFiltered && !app.kept[id];
      lines.push(svg("path", { d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`, "stroke-width": thick.toFixed(1), class: faded ? "faded" : null }));
    }
    edges.setAttribute("width", String(placed.width));
    edges.setAttribute("height", String(placed.height));
    edges.replaceChildren(...lines);
    items.replaceChildren(...elements);
    const first = drawnSize.width === 0;
    drawnSize = { width: placed.width, height: placed.height };
    setZoom(first ? Math.max(fitting(), 0.7) : zoom);
    if (had) items.querySelector<HTMLElement>(`#node-${app.selected}`)?.focus({ preventScroll: false });
  }

  /** The same in words, as lists in lists. */
  function nested(id: number, open: Set<number>): HTMLElement {
    const top = h("ul", { class: "nested" });
    const stack: [number, HTMLElement][] = [[id, top]];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const [node, into] = next;
      const isSplit = app.split[node] === 1;
      const isOpen = open.has(node);
      const asks = node === id ? (node === 0 ? "All rows" : words.ruleText(node)) : words.branchFull(node);
      const item = h("li", { class: app.isFiltered && !app.kept[node] ? "faded" : null });
      if (isSplit) {
        item.append(
          h("button", { type: "button", class: "fold", "aria-expanded": String(isOpen), "aria-label": `${isOpen ? "Close" : "Open"} ${asks}`, click: () => app.toggle(node, !isOpen) }, isOpen ? "▾" : "▸"),
        );
      }
      item.append(
        h("button", { type: "button", class: "link", "aria-current": node === app.selected ? "true" : null, click: () => app.select(node) }, named(asks)),
        isSplit ? (isOpen ? "" : ` +${counted(below(node), "leaf", "leaves")}`) : " → ",
      );
      if (!isSplit) item.append(h("strong", {}, named(words.answer(node))));
      item.append(h("span", { class: "small" }, ` (${words.rows(node)}${tree.isClassifier ? `, ${percent(tree.confidence(node), 0)}` : ""})`));
      into.append(item);
      if (isOpen) {
        const inner = h("ul");
        item.append(inner);
        for (let child = tree.first[node] + tree.count[node] - 1; child >= tree.first[node]; child--) stack.push([child, inner]);
      }
    }
    return top;
  }

  function moveTo(id: number): void {
    app.select(id);
    items.querySelector<HTMLElement>(`#node-${id}`)?.focus();
  }

  items.addEventListener("keydown", (event) => {
    const { nodes, open } = app.shown();
    const order = inOrder(nodes, open);
    const at = order.indexOf(app.selected);
    const id = app.selected;
    const keys: Record<string, () => void> = {
      ArrowDown: () => moveTo(order[Math.min(at + 1, order.length - 1)]),
      ArrowUp: () => moveTo(order[Math.max(at - 1, 0)]),
      Home: () => moveTo(order[0]),
      End: () => moveTo(order[order.length - 1]),
      ArrowRight: () => {
        if (open.has(id)) moveTo(tree.first[id]);
        else if (app.split[id]) app.toggle(id, true);
      },
      ArrowLeft: () => {
        if (open.has(id)) app.toggle(id, false);
        else if (id !== app.focus) moveTo(tree.parent[id]);
      },
      Enter: () => app.focusOn(app.split[id] ? id : app.focus),
      " ": () => app.toggle(id, !open.has(id)),
      Escape: () => app.focusOn(0),
    };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  items.addEventListener("click", (event) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-node]");
    if (!element) return;
    const id = Number(element.dataset.node);
    const { open } = app.shown();
    const again = id === app.selected;
    app.selected = id;
    if (app.split[id] && (again || (event.target as Element).closest(".more"))) app.toggle(id, !open.has(id));
    else app.select(id);
    items.querySelector<HTMLElement>(`#node-${id}`)?.focus({ preventScroll: true });
  });
  items.addEventListener("dblclick", (event) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-node]");
    if (element && app.split[Number(element.dataset.node)]) app.focusOn(Number(element.dataset.node));
  });
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom(zoom * (event.deltaY > 0 ? 0.9 : 1.1));
  }, { passive: false });

  // On paper the drawing is as wide as the page; one that would be too small to read is a list.
  let before: { zoom: number; asList: boolean } | null = null;
  window.addEventListener("beforeprint", () => {
    before = { zoom, asList };
    const fits = PAPER / Math.max(drawnSize.width, 1);
    if (!asList && fits < READABLE) setMode(true);
    else if (!asList) setZoom(Math.min(1, fits));
  });
  window.addEventListener("afterprint", () => {
    if (!before) return;
    if (before.asList !== asList) setMode(before.asList);
    setZoom(before.zoom);
    before = null;
  });

  app.onChange((change) => {
    if (change !== "row") draw(true);
  });
  requestAnimationFrame(() => draw(false));
  return h(
    "section",
    { class: "panel tree", "aria-labelledby": "tree-title" },
    h(
      "div",
      { class: "line" },
      h("h2", { id: "tree-title" }, "In focus"),
      zoomButtons,
      modeButton,
      h("button", { type: "button", click: () => { app.toggled.clear(); app.tell("view"); } }, "As at first"),
    ),
    frame,
    list,
    h("p", { class: "small keys" }, "Arrows move, → opens, ← closes, space opens or closes, enter takes into focus, escape shows the whole tree."),
  );
}

/** The classes at a node as a bar, or where its number is between the smallest and the largest. */
export function mix(app: App, id: number): HTMLElement {
  const { tree, colours } = app;
  const bar = h("span", { class: "mix", "aria-hidden": "true" });
  if (!tree.isClassifier) {
    const bars = histogram(app, id);
    if (bars) return h("span", { class: "mix-bars", "aria-hidden": "true" }, bars);
    bar.className = "mix number";
    bar.append(styled(h("span"), { left: `${(100 * colours.place(tree.answer[id])).toFixed(1)}%` }));
    return bar;
  }
  const counts = tree.countsAt(tree.speaker[id]);
  const all = total(counts) || 1;
  counts.forEach((w, label) => {
    if (w / all >= 0.005) bar.append(styled(h("span"), { width: `${(100 * w) / all}%`, background: colours.ofClass(label) }));
  });
  return bar;
}
