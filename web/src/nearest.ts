// The nearest change of a row that gives another answer: the definition of the library (`explain/nearest.rs`), step by step.
import type { App } from "./app.ts";
import { nextDown, simplest } from "./numbers.ts";
import type { Cell } from "./tree.ts";
import { hasNoValue, takesMissing } from "./words.ts";
import type { Asked } from "./words.ts";

export interface Change {
  attribute: number;
  /** What its value must pass for the new answer, all else being as it is. */
  test: Asked;
  /** The nearest value that does. */
  to: Cell;
  distance: number;
}

export interface NearestChange {
  changes: Change[];
  distance: number;
  /** What the tree says then. */
  numbers: number[];
}

/** Looks for it in small steps, between which it yields; what it returns at the end is the change, or null where there is none. */
export function* nearestChange(app: App, row: Cell[]): Generator<void, NearestChange | null> {
  const search = new Search(app, row);
  let best: NearestChange | null = null;
  for (const attribute of search.tested()) {
    const found: NearestChange | null = yield* search.one(attribute);
    if (found && isNearer(found, best)) best = found;
  }
  return best ?? (yield* search.several());
}

/** The same, all at once. */
export function nearestChangeNow(app: App, row: Cell[]): NearestChange | null {
  const steps = nearestChange(app, row);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function isNearer(a: NearestChange, b: NearestChange | null): boolean {
  return b === null || a.changes.length < b.changes.length || (a.changes.length === b.changes.length && a.distance < b.distance);
}

class Search {
  private readonly now: number[];
  private readonly ranges: [number, number][];
  private readonly thresholds: number[][];

  constructor(
    private readonly app: App,
    private readonly row: Cell[],
  ) {
    const { tree, payload } = app;
    this.now = this.ask(row);
    const thresholds: Set<number>[] = row.map(() => new Set());
    for (let id = 0; id < tree.n; id++) {
      const test = app.split[id] ? tree.test[id] : undefined;
      if (typeof test === "number") thresholds[tree.attribute[id]].add(test);
    }
    this.thresholds = thresholds.map((set) => Array.from(set).sort((a, b) => a - b));
    this.ranges = this.thresholds.map((list, attribute) => {
      const ends = payload.summary?.attributes[attribute].quartiles;
      const known = ends ? [...list.slice(0, 1), ...list.slice(-1), ends[0], ends[4]] : [...list.slice(0, 1), ...list.slice(-1)];
      return [Math.min(...known), Math.max(...known)];
    });
  }

  private ask(row: Cell[]): number[] {
    return this.app.tree.predict(row, this.app.split).numbers;
  }

  private same(a: number[], b: number[]): boolean {
    const { tree } = this.app;
    if (tree.isClassifier) return tree.decide(a) === tree.decide(b);
    return Math.abs(a[0] - b[0]) <= 1e-12 * Math.max(Math.abs(a[0]), Math.abs(b[0]));
  }

  /** How far two numbers are apart, as a share of the attribute's range, which what is outside widens. */
  private apart(attribute: number, a: number, b: number): number {
    const [low, high] = this.ranges[attribute];
    const [from, to] = [Math.min(low, a, b), Math.max(high, a, b)];
    const range = to / 2 - from / 2;
    return range > 0 ? Math.min(Math.abs(a / 2 - b / 2) / range, 1) : 0;
  }

  /** The attributes that are tested, in their order. */
  tested(): number[] {
    const { tree, split } = this.app;
    const has = new Set<number>();
    for (let id = 0; id < tree.n; id++) if (split[id]) has.add(tree.attribute[id]);
    return Array.from(has).sort((a, b) => a - b);
  }

  /** The nearest change of one attribute. */
  *one(attribute: number): Generator<void, NearestChange | null> {
    const pieces = this.pieces(attribute);
    const said: number[][] = [];
    const row = this.row.slice();
    for (const piece of pieces) {
      row[attribute] = piece.to;
      said.push(this.ask(row));
      yield;
    }
    let best = -1;
    pieces.forEach((piece, i) => {
      if (!this.same(said[i], this.now) && (best < 0 || piece.distance < pieces[best].distance)) best = i;
    });
    if (best < 0) return null;
    const change = { ...pieces[best] };
    const alike = (i: number) => this.same(said[i], said[best]);
    if ("codes" in change.test) change.test = { codes: pieces.map((_, i) => i).filter(alike), missing: false };
    else {
      // Beside it, the same answer may go on.
      let first = best;
      let last = best;
      while (first > 0 && alike(first - 1)) first--;
      while (last + 1 < pieces.length && alike(last + 1)) last++;
      change.test = { low: (pieces[first].test as { low: number | null }).low, high: (pieces[last].test as { high: number | null }).high, missing: false };
    }
    return { changes: [change], distance: change.distance, numbers: said[best] };
  }

  /** All that an attribute can be as far as the tree can tell: intervals between its thresholds, or values. */
  private pieces(attribute: number): Change[] {
    const { values } = this.app.payload.attributes[attribute];
    if (values) return values.map((_, code) => this.moved(attribute, { codes: [code], missing: false }));
    const list = this.thresholds[attribute];
    return Array.from({ length: list.length + 1 }, (_, i) => this.moved(attribute, { low: i > 0 ? list[i - 1] : null, high: list[i] ?? null, missing: false }));
  }

  /** The row's value of an attribute moved to where it passes a test. */
  private moved(attribute: number, test: Asked): Change {
    const from = this.row[attribute];
    if ("codes" in test) {
      if (from !== null && test.codes.includes(from)) return { attribute, test, to: from, distance: 0 };
      return { attribute, test, to: test.codes[0] ?? null, distance: 1 };
    }
    if ("known" in test) {
      // To have no value is never asked for.
      return from === null ? { attribute, test, to: 0, distance: 1 } : { attribute, test, to: from, distance: 0 };
    }
    const { low, high } = test;
    if (from === null) return { attribute, test, to: low ?? (high === null ? 0 : nextDown(high)), distance: 1 };
    const to = low !== null && from < low ? low : high !== null && from >= high ? nextDown(high) : from;
    return { attribute, test, to, distance: this.apart(attribute, from, to) };
  }

  /** The nearest change of several attributes that brings the row to a leaf with another answer. */
  *several(): Generator<void, NearestChange | null> {
    const { app } = this;
    let best: NearestChange | null = null;
    for (let id = 0; id < app.tree.n; id++) {
      if (app.split[id] || !app.isThere(id)) continue;
      const found = this.toLeaf(id);
      if (found && isNearer(found, best)) best = found;
      yield;
    }
    return best;
  }

  private toLeaf(id: number): NearestChange | null {
    const { tree, words } = this.app;
    const numbers = Array.from(tree.numbersOf(id));
    if (this.same(numbers, this.now)) return null;
    const rule = words.rule(id);
    const passes = (cell: Cell, test: Asked) => {
      if (cell === null) return takesMissing(test);
      if ("known" in test) return test.known;
      if ("codes" in test) return test.codes.includes(cell);
      return (test.low === null || cell >= test.low) && (test.high === null || cell < test.high);
    };
    const failed = rule.filter(([attribute, test]) => !passes(this.row[attribute], test));
    // Nothing passes tests that contradict each other, and to have no value is not a change to ask for.
    if (failed.some(([, test]) => hasNoValue(test))) return null;
    const changes = failed.map(([attribute, test]) => this.moved(attribute, test));
    if (changes.length === 0) return null;
    return { changes, distance: changes.reduce((sum, change) => sum + change.distance, 0), numbers };
  }
}

/** A value that passes a change's test and is short to write, near the nearest one. */
export function handy(app: App, { attribute, test, to }: Change): Cell {
  if (to === null || "codes" in test || "known" in test) return to;
  const { low, high } = test;
  if (low !== null && to === low) return to;
  const ends = app.payload.summary?.attributes[attribute].quartiles;
  const near = (ends ? ends[4] - ends[0] : Math.abs(to)) / 50;
  return high === null ? to : simplest(Math.max(low ?? -Infinity, high - near), high);
}
