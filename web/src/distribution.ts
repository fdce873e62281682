// How the target's numbers are distributed at a node: bars over the same intervals everywhere.
import type { App } from "./app.ts";
import { h, svg } from "./dom.ts";
import { brief } from "./numbers.ts";
import type { Payload } from "./payload.ts";

/** The weight in every interval, of the nodes that are shown. */
export function readDistribution({ distribution }: Payload): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let id = 0;
  distribution?.nodes.forEach((step, i) => {
    id += step;
    found.set(id, distribution.weights.slice(i * distribution.bars, (i + 1) * distribution.bars));
  });
  return found;
}

/** Bars in a box of 100 by 100, with a line where the node's answer is; null where nothing is known. */
export function histogram(app: App, id: number): SVGSVGElement | null {
  const { distribution } = app.payload;
  const weights = app.distribution.get(id);
  if (!distribution || !weights) return null;
  const most = Math.max(...weights, 1e-300);
  const wide = 100 / weights.length;
  const bars = weights.map((w, i) => {
    const tall = w > 0 ? Math.max((96 * w) / most, 3) : 0;
    return `M${(i * wide + wide * 0.08).toFixed(2)} 100v${(-tall).toFixed(1)}h${(wide * 0.84).toFixed(2)}V100z`;
  });
  const range = distribution.high - distribution.low;
  const at = range > 0 ? (100 * (app.tree.answer[id] - distribution.low)) / range : 50;
  const x = Math.max(0, Math.min(at, 100)).toFixed(2);
  return svg(
    "svg",
    { class: "histogram", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "bars-of", d: bars.join("") }),
    svg("line", { x1: x, x2: x, y1: 0, y2: 100, "vector-effect": "non-scaling-stroke" }),
  );
}

/** The same, larger, with the ends of the range below it. */
export function figure(app: App, id: number): HTMLElement | null {
  const { distribution } = app.payload;
  const picture = histogram(app, id);
  if (!distribution || !picture) return null;
  const caption = `${brief(distribution.low, 4)} to ${brief(distribution.high, 4)}, line: the answer`;
  return h("figure", { class: "distribution" }, picture, h("figcaption", {}, `Distribution of the target: ${caption}`));
}
