// The tree as arrays, and what its nodes say: the same arithmetic as the library's, in the same order.
import { nodeValues, total } from "./leafvalues.ts";
import type { LeafValues } from "./leafvalues.ts";
import type { Payload } from "./payload.ts";

export interface Attribute {
  name: string;
  type: "numeric" | "nominal";
  values?: string[];
  shown_as?: "date" | "date-time" | "time";
}

/** A test: a threshold, the codes of two sides, a branch for each of this many values, or whether there is a value. */
export type Test = number | [number[], number[]] | { values: number } | { known: true };

/** A test as it is stored: with the branch of rows without a value, where it has one. */
export type StoredTest =
  | number
  | { below: number; missing: number }
  | [number[], number[]]
  | [number[], number[], number]
  | { values: number; missing?: boolean }
  | { known: true };

/** A test without what becomes of missing values, and their branch: -1 where they go down every branch. */
export function withMissing(stored: StoredTest): [Test, number] {
  if (typeof stored === "number") return [stored, -1];
  if (Array.isArray(stored)) return [[stored[0], stored[1]], stored[2] ?? -1];
  if ("below" in stored) return [stored.below, stored.missing];
  if ("known" in stored) return [stored, 1];
  return [{ values: stored.values }, stored.missing ? stored.values : -1];
}

/** A cell of a row: a number, the code of a value, or null where it is missing. */
export type Cell = number | null;

/** The code of a value that the tree does not know: it is not missing. */
export const UNSEEN = -1;

const TOLERANCE = 1e-10;

export class Tree {
  readonly n: number;
  readonly parent: Int32Array;
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly attribute: Int32Array;
  readonly test: (Test | undefined)[];
  /** The branch of rows without a value; -1 where they go down every branch. */
  readonly missing: Int32Array;
  readonly gain: Float64Array;
  readonly rank: Float64Array;
  readonly rows: Float64Array;
  readonly weight: Float64Array;
  readonly depth: Int32Array;
  readonly speaker: Int32Array;
  /** The weight of every class at every node; empty for numbers. */
  readonly counts: Float64Array;
  readonly classes: number;
  readonly mean: Float64Array;
  readonly mse: Float64Array;
  readonly median: Float64Array | null;
  readonly costs: number[] | null;
  readonly labels: string[];
  readonly attributes: Attribute[];
  /** How what was counted becomes what is said; null where it is what was counted. */
  readonly leafValues: LeafValues | null;
  /** What every node says as a leaf: the probability of every class, or a number. */
  private readonly said: Float64Array;
  /** What a node predicts as a leaf: a class or a number. */
  readonly answer: Float64Array;
  /** Its training error as a leaf: weight or cost of the rows it gets wrong, or their squared error. */
  readonly error: Float64Array;

  constructor(payload: Payload) {
    const columns = payload.tree;
    const n = columns.nodes;
    this.n = n;
    this.attributes = payload.attributes;
    this.labels = payload.target.classes ?? [];
    this.classes = this.labels.length;
    this.costs = payload.costs;
    this.parent = new Int32Array(n).fill(-1);
    this.first = new Int32Array(n);
    this.count = new Int32Array(n);
    this.attribute = new Int32Array(n).fill(-1);
    this.test = new Array<Test | undefined>(n);
    this.missing = new Int32Array(n).fill(-1);
    this.gain = new Float64Array(n);
    this.rank = new Float64Array(n);
    let id = 0;
    columns.inner.forEach((step, i) => {
      id += step;
      const [test, missing] = withMissing(columns.test[i]);
      this.first[id] = id + columns.first[i];
      this.count[id] = typeof test === "object" && !Array.isArray(test) && "values" in test ? test.values + (missing >= 0 ? 1 : 0) : 2;
      this.attribute[id] = columns.attribute[i];
      this.test[id] = test;
      this.missing[id] = missing;
      this.gain[id] = columns.gain[i] ?? 0;
      this.rank[id] = columns.rank[i];
      for (let child = this.first[id]; child < this.first[id] + this.count[id]; child++) this.parent[child] = id;
    });
    this.rows = Float64Array.from(columns.rows);
    this.weight = columns.weight ? Float64Array.from(columns.weight) : this.rows;
    this.depth = new Int32Array(n);
    this.speaker = new Int32Array(n);
    for (let i = 1; i < n; i++) {
      this.depth[i] = this.depth[this.parent[i]] + 1;
      this.speaker[i] = this.weight[i] > 0 ? i : this.speaker[this.parent[i]];
    }
    this.counts = new Float64Array(n * this.classes);
    if (columns.present) this.fillCounts(columns.sums!, columns.present, columns.classes!, columns.weights!);
    this.mean = Float64Array.from(columns.mean ?? []);
    this.mse = Float64Array.from(columns.mse ?? []);
    this.median = columns.median ? Float64Array.from(columns.median) : null;
    this.leafValues = payload.leaf_values;
    const raw = this.isClassifier ? this.counts : (this.median ?? this.mean);
    // What a row counts: what it weighs on average, at most 1.
    const mean = this.weight[0] / this.rows[0];
    const row = Number.isFinite(mean) && mean > 0 ? Math.min(mean, 1) : 1;
    this.said = nodeValues({ n, parent: this.parent, weight: this.weight, row, classes: this.classes, raw }, this.leafValues);
    this.answer = Float64Array.from({ length: n }, (_, i) => this.answerAt(i));
    this.error = Float64Array.from({ length: n }, (_, i) => this.errorAt(i));
  }

  private fillCounts(sums: boolean, present: number[], classes: number[], weights: number[]): void {
    let place = 0;
    let entry = 0;
    for (let id = 0; id < this.n; id++) {
      if (sums && this.count[id] > 0) continue;
      for (const end = place + present[entry]; place < end; place++) {
        this.counts[id * this.classes + classes[place]] = weights[place];
      }
      entry++;
    }
    if (!sums) return;
    for (let id = this.n - 1; id > 0; id--) {
      const above = this.parent[id] * this.classes;
      for (let c = 0; c < this.classes; c++) this.counts[above + c] += this.counts[id * this.classes + c];
    }
  }

  get isClassifier(): boolean {
    return this.classes > 0;
  }

  isLeaf(id: number): boolean {
    return this.count[id] === 0;
  }

  countsAt(id: number): Float64Array {
    return this.counts.subarray(id * this.classes, (id + 1) * this.classes);
  }

  /** For every attribute the share of the total gain of the splits in view, as the library's `Tree::importances` has it. */
  importances(isSplit: (id: number) => boolean): Float64Array {
    const shares = new Float64Array(this.attributes.length);
    const gained = (id: number) => Math.max(this.gain[id], 0) * (this.weight[id] / this.weight[0]);
    let most = 0;
    for (let id = 0; id < this.n; id++) if (isSplit(id) && gained(id) > most) most = gained(id);
    if (!(most > 0 && Number.isFinite(most))) return shares;
    let all = 0;
    for (let id = 0; id < this.n; id++) if (isSplit(id)) shares[this.attribute[id]] += gained(id) / most;
    for (const share of shares) all += share;
    return shares.map((share) => share / all);
  }

  /** The class for these weights: the largest or the cheapest, the first of equal ones. */
  decide(weights: ArrayLike<number>): number {
    const n = weights.length;
    if (this.costs) {
      const risks: number[] = [];
      let least = Infinity;
      for (let label = 0; label < n; label++) {
        risks.push(this.risk(weights, label));
        least = Math.min(least, risks[label]);
      }
      const limit = least + TOLERANCE * Math.abs(least);
      return Math.max(risks.findIndex((risk) => risk <= limit), 0);
    }
    let largest = -Infinity;
    for (let c = 0; c < n; c++) largest = Math.max(largest, weights[c]);
    const enough = largest - TOLERANCE * Math.abs(largest);
    for (let c = 0; c < n; c++) if (weights[c] >= enough) return c;
    return 0;
  }

  /** The class that the own rows of a node alone would predict, where its shrunken leaf values predict another. */
  overruled(id: number): number | null {
    if (!this.isClassifier || !this.leafValues || !(this.weight[id] > 0)) return null;
    const weights = this.countsAt(id);
    const loss = (label: number) => (this.costs ? this.risk(weights, label) : this.weight[id] - weights[label]);
    const own = this.decide(weights);
    return loss(this.answer[id]) > loss(own) + 1e-9 * this.weight[id] ? own : null;
  }

  private risk(weights: ArrayLike<number>, label: number): number {
    let risk = 0;
    for (let actual = 0; actual < weights.length; actual++) {
      risk += weights[actual] * this.costs![actual * this.classes + label];
    }
    return risk;
  }

  private answerAt(id: number): number {
    if (!this.isClassifier) return this.said[id];
    return this.decide(this.leafValues ? this.numbersOf(id) : this.countsAt(this.speaker[id]));
  }

  private errorAt(id: number): number {
    if (!this.isClassifier) {
      const off = this.answer[id] - this.mean[id];
      return this.weight[id] > 0 ? this.weight[id] * (this.mse[id] + off * off) : 0;
    }
    const counts = this.countsAt(id);
    if (this.costs) return this.risk(counts, this.answer[id]);
    return total(counts) - counts[this.answer[id]];
  }

  /** The probability of the class that a node predicts. */
  confidence(id: number): number {
    return this.numbersOf(id)[this.answer[id]];
  }

  /** The branch a cell goes to; -1 where it goes down every branch. */
  route(id: number, cell: Cell): number {
    const test = this.test[id]!;
    if (cell === null || Number.isNaN(cell)) return this.missing[id];
    if (typeof test === "number") return cell >= test ? 1 : 0;
    if (Array.isArray(test)) return test[0].includes(cell) ? 0 : test[1].includes(cell) ? 1 : -1;
    if ("known" in test) return 0;
    return cell >= 0 && cell < test.values ? cell : -1;
  }

  /** Shows every node that a row reaches, with its share of the row, and whether that share ends there. */
  walk(row: Cell[], split: Uint8Array, visit: (id: number, share: number, ends: boolean) => void): void {
    const stack: [number, number][] = [[0, 1]];
    for (let top = stack.pop(); top; top = stack.pop()) {
      let id = top[0];
      const share = top[1];
      for (;;) {
        if (!split[id]) {
          visit(id, share, true);
          break;
        }
        const first = this.first[id];
        const branch = this.route(id, row[this.attribute[id]]);
        if (branch >= 0) {
          visit(id, share, false);
          id = first + branch;
          continue;
        }
        let all = 0;
        for (let b = 0; b < this.count[id]; b++) all += this.weight[first + b];
        let any = false;
        for (let b = this.count[id] - 1; b >= 0; b--) {
          const weight = this.weight[first + b];
          const part = share * (weight > 0 ? weight / all : 0);
          if (part > 0) {
            stack.push([first + b, part]);
            any = true;
          }
        }
        visit(id, share, !any);
        break;
      }
    }
  }

  /** What a node says as a leaf: class probabilities or a number. */
  numbersOf(id: number): Float64Array {
    const width = Math.max(this.classes, 1);
    return this.said.subarray(id * width, (id + 1) * width);
  }

  /** What the pruned tree says to a row: class probabilities or a number, the class, and the leaves with their shares. */
  predict(row: Cell[], split: Uint8Array): { numbers: number[]; answer: number; leaves: [number, number][] } {
    const numbers = new Array<number>(Math.max(this.classes, 1)).fill(0);
    const leaves: [number, number][] = [];
    this.walk(row, split, (id, share, ends) => {
      if (!ends) return;
      leaves.push([id, share]);
      this.numbersOf(id).forEach((number, i) => (numbers[i] += share * number));
    });
    return { numbers, answer: this.isClassifier ? this.decide(numbers) : numbers[0], leaves };
  }
}
