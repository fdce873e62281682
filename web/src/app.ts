// What the reader has chosen, and what follows from it. Views read it and are told when it changes.
import { Colours } from "./colours.ts";
import { readDistribution } from "./distribution.ts";
import { Path } from "./paths.ts";
import type { Payload } from "./payload.ts";
import type { Stop } from "./paths.ts";
import type { Cell } from "./tree.ts";
import { Tree } from "./tree.ts";
import { Words } from "./words.ts";

/** What has changed: the member, what is selected or shown of it, the search and the filters, or the row. */
export type Change = "member" | "view" | "filter" | "row" | "theme";

/** Nodes that the view opens with. */
const OPEN = 60;
/** The share of the rows that a node must have to be opened with. */
const SUPPORT = 0.01;

export class App {
  readonly tree: Tree;
  readonly words: Words;
  readonly colours: Colours;
  /** How the target is distributed at the nodes that are shown. */
  readonly distribution: Map<number, number[]>;
  private readonly paths: (Path | undefined)[];
  pathIndex: number;
  stopIndex: number;
  split: Uint8Array;
  /** The leaves that the reader wants. */
  private wish: number;
  selected = 0;
  focus = 0;
  /** Nodes the reader has opened or closed. */
  readonly toggled = new Map<number, boolean>();
  query = "";
  minSupport = 0;
  minConfidence = 0;
  row: Cell[];
  /** Nodes that the search finds. */
  found: number[] = [];
  /** 1 for nodes that lead to something the search and the filters let through. */
  kept: Uint8Array;
  private readonly views: ((change: Change) => void)[] = [];

  constructor(readonly payload: Payload) {
    this.tree = new Tree(payload);
    this.words = new Words(this.tree, payload);
    this.colours = new Colours(this.tree, payload.palette);
    this.distribution = readDistribution(payload);
    this.paths = new Array<Path | undefined>(payload.paths.length);
    this.pathIndex = payload.start[0];
    this.row = payload.attributes.map(() => null);
    const member = payload.start[1] ?? -1;
    const place = this.path.stops.findIndex((stop) => stop.member === member);
    this.stopIndex = place >= 0 ? place : this.path.stops.length - 1;
    this.split = this.path.splits(this.stop.member);
    this.wish = this.stop.leaves;
    this.kept = new Uint8Array(this.tree.n).fill(1);
  }

  get path(): Path {
    return (this.paths[this.pathIndex] ??= new Path(this.tree, this.payload.paths[this.pathIndex], this.payload));
  }

  get stop(): Stop {
    return this.path.stops[this.stopIndex];
  }

  /** Whether a tree size is that of the tree as fitted. */
  isFitted(stop: Stop): boolean {
    return this.pathIndex === this.payload.start[0] && stop.member === (this.payload.start[1] ?? -1);
  }

  onChange(view: (change: Change) => void): void {
    this.views.push(view);
  }

  tell(change: Change): void {
    for (const view of this.views) view(change);
  }

  /** Changes the path and keeps the size that the reader last chose. */
  choosePath(index: number): void {
    this.pathIndex = index;
    this.goTo(this.path.nearest(this.wish));
  }

  moveTo(stop: number): void {
    this.goTo(stop);
    this.wish = this.stop.leaves;
  }

  private goTo(stop: number): void {
    this.stopIndex = Math.max(0, Math.min(stop, this.path.stops.length - 1));
    this.split = this.path.splits(this.stop.member);
    while (!this.isThere(this.selected)) this.selected = this.tree.parent[this.selected];
    while (!this.isThere(this.focus)) this.focus = this.tree.parent[this.focus];
    this.filter();
    this.tell("member");
  }

  /** Whether a node is part of the pruned tree. */
  isThere(id: number): boolean {
    return id === 0 || this.split[this.tree.parent[id]] === 1;
  }

  select(id: number, reveal = false): void {
    this.selected = id;
    if (reveal) this.reveal(id);
    this.tell("view");
  }

  focusOn(id: number): void {
    this.focus = id;
    this.selected = id;
    this.tell("view");
  }

  /** Opens everything above a node, and takes it into focus. */
  reveal(id: number): void {
    if (!this.isBelow(id, this.focus)) this.focus = 0;
    for (let node = id; node !== this.focus && node > 0; ) {
      node = this.tree.parent[node];
      this.toggled.set(node, true);
    }
  }

  isBelow(id: number, above: number): boolean {
    let node = id;
    while (node > above) node = this.tree.parent[node];
    return node === above;
  }

  toggle(id: number, open: boolean): void {
    this.toggled.set(id, open);
    if (!open && this.isBelow(this.selected, id)) this.selected = id;
    this.tell("view");
  }

  /** The nodes in view, below the focus, in the order of the tree; and which of them are open. */
  shown(): { nodes: number[]; open: Set<number> } {
    const { tree, split } = this;
    const open = new Set<number>();
    // The heaviest first, while there is room; what the reader has opened always.
    const waiting: number[] = [this.focus];
    const forced: number[] = [];
    let size = 1;
    const push = (id: number) => {
      if (!split[id]) return;
      const wish = this.toggled.get(id);
      if (wish === true) forced.push(id);
      else if (wish === undefined) waiting.push(id);
    };
    if (this.toggled.get(this.focus) === false || !split[this.focus]) waiting.pop();
    const least = id0(tree.weight[this.focus]) * SUPPORT;
    while (forced.length || waiting.length) {
      let id = forced.pop();
      if (id === undefined) {
        let best = 0;
        for (let i = 1; i < waiting.length; i++) if (tree.weight[waiting[i]] > tree.weight[waiting[best]]) best = i;
        id = waiting.splice(best, 1)[0];
        const fits = size + tree.count[id] <= OPEN || id === this.focus;
        if (!fits || (tree.weight[id] < least && id !== this.focus)) continue;
      }
      if (size > 600) continue;
      open.add(id);
      size += tree.count[id];
      for (let child = tree.first[id]; child < tree.first[id] + tree.count[id]; child++) push(child);
    }
    const nodes = [this.focus];
    for (let i = 0; i < nodes.length; i++) {
      const id = nodes[i];
      if (!open.has(id)) continue;
      for (let child = tree.first[id]; child < tree.first[id] + tree.count[id]; child++) nodes.push(child);
    }
    return { nodes, open };
  }

  /** Finds what the search and the filters let through. */
  filter(): void {
    const { tree, split, words } = this;
    const tokens = this.query.toLowerCase().split(/\s+/).filter((token) => token !== "").slice(0, 30);
    const all = (1 << tokens.length) - 1;
    const has = new Int32Array(tree.n);
    this.found = [];
    this.kept = new Uint8Array(tree.n);
    const least = this.minSupport * tree.weight[0];
    for (let id = 0; id < tree.n; id++) {
      if (!this.isThere(id)) continue;
      const above = id === 0 ? 0 : has[tree.parent[id]];
      let own = above;
      if (tokens.length > 0 && above !== all) {
        const text = split[id] ? words.branchLower(id) : `${words.branchLower(id)} → ${words.answer(id).toLowerCase()}`;
        tokens.forEach((token, i) => {
          if (text.includes(token)) own |= 1 << i;
        });
      }
      has[id] = own;
      if (tokens.length > 0 && own === all && above !== all) this.found.push(id);
      if (split[id]) continue;
      const passes = own === all && tree.weight[id] >= least;
      const sure = this.minConfidence === 0 || !tree.isClassifier || tree.confidence(id) >= this.minConfidence;
      if (passes && sure) this.kept[id] = 1;
    }
    for (let id = tree.n - 1; id > 0; id--) if (this.kept[id]) this.kept[tree.parent[id]] = 1;
  }

  get isFiltered(): boolean {
    return this.query.trim() !== "" || this.minSupport > 0 || this.minConfidence > 0;
  }

  setFilter(change: { query?: string; minSupport?: number; minConfidence?: number }): void {
    Object.assign(this, change);
    this.filter();
    this.tell("filter");
  }

  /** The leaves of the pruned tree that are let through, from left to right. */
  leaves(): number[] {
    const { tree, split } = this;
    const leaves: number[] = [];
    const stack = [0];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (!split[id]) {
        if (this.kept[id]) leaves.push(id);
        continue;
      }
      for (let child = tree.first[id] + tree.count[id] - 1; child >= tree.first[id]; child--) stack.push(child);
    }
    return leaves;
  }
}

function id0(x: number): number {
  return x > 0 ? x : 0;
}
