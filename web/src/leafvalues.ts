// What the nodes of a tree say as leaves: the library's `tree/node_values.rs`, the same arithmetic in the same order.

/** How what was counted becomes what is said; null where it is what was counted. */
export type LeafValues = { kind: "laplace" } | { kind: "m"; m: number } | { kind: "shrink"; lambda: number };

/** What is needed of a tree: `raw` are its class weights, or means or medians, node by node; `row` is what a row counts, at most 1. */
export interface Counted {
  n: number;
  parent: Int32Array;
  weight: Float64Array;
  row: number;
  classes: number;
  raw: Float64Array;
}

/** What every node says, node by node: the probability of every class, or a number. */
export function nodeValues(tree: Counted, values: LeafValues | null): Float64Array {
  const { n, classes, row } = tree;
  if (classes === 0) return ofNumbers(tree, values);
  const said = new Float64Array(n * classes);
  const counts = (id: number) => tree.raw.subarray(id * classes, (id + 1) * classes);
  const prior = new Float64Array(classes);
  if (values?.kind === "m") laplace(counts(0), row, prior);
  each(tree, said, classes, (id, own) => {
    if (values?.kind === "laplace") laplace(counts(id), row, own);
    else if (values?.kind === "m") {
      const m = values.m * row;
      const all = total(counts(id)) + m;
      counts(id).forEach((weight, c) => (own[c] = (weight + m * prior[c]) / all));
    } else {
      const all = total(counts(id));
      counts(id).forEach((weight, c) => (own[c] = weight / all));
    }
  });
  if (values?.kind !== "shrink") return said;
  const shrunkShares = shrunk(tree, said, classes, values.lambda * row);
  const even = 1 / classes;
  each(tree, shrunkShares, classes, (id, own) => {
    const share = row / (tree.weight[id] + row);
    own.forEach((p, c) => (own[c] = p * (1 - share) + even * share));
  });
  return shrunkShares;
}

function ofNumbers(tree: Counted, values: LeafValues | null): Float64Array {
  const said = tree.raw.slice();
  if (values?.kind === "shrink") return shrunk(tree, said, 1, values.lambda * tree.row);
  const root = said[0];
  each(tree, said, 1, (id, own) => {
    if (values?.kind !== "m") return;
    const m = values.m * tree.row;
    const share = m / (tree.weight[id] + m);
    own[0] = own[0] * (1 - share) + root * share;
  });
  return said;
}

/** Laplace's law of succession, with rows of this weight. */
function laplace(weights: Float64Array, row: number, said: Float64Array): void {
  const all = total(weights) + weights.length * row;
  weights.forEach((weight, c) => (said[c] = (weight + row) / all));
}

/** Lets every node that has weight say something; the others repeat the node above them. */
function each(tree: Counted, said: Float64Array, width: number, of: (id: number, own: Float64Array) => void): void {
  for (let id = 0; id < tree.n; id++) {
    const own = said.subarray(id * width, (id + 1) * width);
    const above = tree.parent[id] * width;
    if (id > 0 && !(tree.weight[id] > 0)) own.set(said.subarray(above, above + width));
    else of(id, own);
  }
}

/** Shrinks values towards those above them. */
function shrunk(tree: Counted, raw: Float64Array, width: number, lambda: number): Float64Array {
  const kept = new Float64Array(tree.n).fill(1);
  const fromAbove = new Float64Array(raw.length);
  for (let id = 1; id < tree.n; id++) {
    const parent = tree.parent[id];
    const weight = tree.weight[parent];
    kept[id] = weight > 0 ? Math.min(weight / (weight + lambda), kept[parent]) : kept[parent];
    const lost = kept[parent] - kept[id];
    for (let c = 0; c < width; c++) fromAbove[id * width + c] = fromAbove[parent * width + c] + raw[parent * width + c] * lost;
  }
  const said = raw.slice();
  each(tree, said, width, (id, own) => {
    for (let c = 0; c < width; c++) own[c] = fromAbove[id * width + c] + own[c] * kept[id];
  });
  return said;
}

export function total(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i];
  return sum;
}

/** The leaf values in words. */
export function inWords(values: LeafValues, number: (x: number) => string): string {
  if (values.kind === "laplace") return "Laplace (one more row of every class)";
  if (values.kind === "m") return `m-estimate (${number(values.m)} more ${values.m === 1 ? "row" : "rows"} as at the root)`;
  return `shrunken (hierarchical shrinkage, λ = ${number(values.lambda)})`;
}
