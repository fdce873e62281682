// Moving along a pruning path: which nodes are split in a member, and what there is to say of every member.
import { plain, simplest } from "./numbers.ts";
import type { PathColumns, Payload } from "./payload.ts";
import type { Tree } from "./tree.ts";

/** A place of the slider: a member of the path, or the whole tree. */
export interface Stop {
  /** The member's number; -1 for the whole tree. */
  member: number;
  leaves: number;
  nodes: number;
  trainingError: number;
  error: number | null;
  se: number | null;
}

export class Path {
  /** From small trees to large ones. */
  readonly stops: Stop[];
  private readonly splitIn: Float64Array | null;

  constructor(
    readonly tree: Tree,
    readonly columns: PathColumns,
    readonly payload: Payload,
  ) {
    this.splitIn = columns.split_in ? this.spread(columns.split_in) : null;
    const members = this.splitIn ? this.nested(this.splitIn) : columns.cuts!.map((_, i) => this.measured(i));
    const whole = this.whole();
    if (!members.some((stop) => stop.leaves === whole.leaves)) members.unshift(whole);
    // A member with the same leaves as the one before is the same tree where the path is nested.
    this.stops = members.sort((a, b) => a.leaves - b.leaves || b.member - a.member);
  }

  private spread(ofSplits: number[]): Float64Array {
    const all = new Float64Array(this.tree.n);
    let id = 0;
    this.payload.tree.inner.forEach((step, i) => {
      id += step;
      all[id] = ofSplits[i];
    });
    return all;
  }

  private stop(member: number, leaves: number, nodes: number, risk: number): Stop {
    return {
      member,
      leaves,
      nodes,
      trainingError: Math.max(risk / this.tree.weight[0], 0),
      error: this.columns.errors?.[member] ?? null,
      se: this.columns.se?.[member] ?? null,
    };
  }

  /** All members at once: a node is a leaf of those from its own number up to that of the node above. */
  private nested(splitIn: Float64Array): Stop[] {
    const { tree } = this;
    const m = this.columns.parameters.length;
    const leaves = new Float64Array(m + 1);
    const nodes = new Float64Array(m + 1);
    const risk = new Float64Array(m + 1);
    for (let id = 0; id < tree.n; id++) {
      const to = id === 0 ? m : splitIn[tree.parent[id]];
      const from = Math.min(splitIn[id], to);
      nodes[0] += 1;
      nodes[to] -= 1;
      if (from === to) continue;
      leaves[from] += 1;
      leaves[to] -= 1;
      risk[from] += tree.error[id];
      risk[to] -= tree.error[id];
    }
    const stops: Stop[] = [];
    for (let i = 0, l = 0, n = 0, r = 0; i < m; i++) {
      l += leaves[i];
      n += nodes[i];
      r += risk[i];
      stops.push(this.stop(i, l, n, r));
    }
    return stops;
  }

  private whole(): Stop {
    return this.sum(-1, this.splits(-1));
  }

  private measured(member: number): Stop {
    return this.sum(member, this.splits(member));
  }

  private sum(member: number, split: Uint8Array): Stop {
    const { tree } = this;
    let leaves = 0;
    let nodes = 0;
    let risk = 0;
    for (let id = 0; id < tree.n; id++) {
      if (id > 0 && !split[tree.parent[id]]) continue;
      nodes++;
      if (split[id]) continue;
      leaves++;
      risk += tree.error[id];
    }
    return this.stop(member, leaves, nodes, risk);
  }

  /** Which nodes are split in a member: 1, and 0 for its leaves and all that is gone. */
  splits(member: number): Uint8Array {
    const { tree, splitIn } = this;
    const split = new Uint8Array(tree.n);
    const cut = new Uint8Array(tree.n);
    if (member >= 0 && !splitIn) {
      let id = 0;
      for (const step of this.columns.cuts![member]) cut[(id += step)] = 1;
    }
    for (let id = 0; id < tree.n; id++) {
      const isThere = id === 0 || split[tree.parent[id]] === 1;
      const stays = member < 0 || (splitIn ? splitIn[id] > member : !cut[id]);
      split[id] = isThere && stays && !tree.isLeaf(id) ? 1 : 0;
    }
    return split;
  }

  /** Whether a node is split in a member of a nested path, whatever is above it. */
  isSplitIn(id: number, member: number): boolean {
    return this.splitIn !== null && this.splitIn[id] > member;
  }

  /** The stop with as many leaves as possible up to these, or the smallest. */
  nearest(leaves: number): number {
    let best = 0;
    const distance = (stop: Stop) => Math.abs(Math.log(stop.leaves / leaves));
    this.stops.forEach((stop, i) => {
      if (distance(stop) < distance(this.stops[best])) best = i;
    });
    return best;
  }

  /** The parameter that gives a member: the simplest number that does. */
  parameter(member: number): number {
    const { parameters, is_exact, default: usual } = this.columns;
    const low = parameters[member];
    if (is_exact) return low;
    const high = member + 1 < parameters.length ? parameters[member + 1] : Infinity;
    if (usual !== null && low <= usual && usual < high) return usual;
    // Away from both ends, where rounding could decide.
    const margin = Number.isFinite(high) ? (high - low) / 64 : Math.abs(low) / 64;
    const inside = simplest(low + margin, Number.isFinite(high) ? high - margin : high);
    return inside > low || low === 0 ? inside : low;
  }

  /** The pruner's text for a member; null for the whole tree. */
  pruner(member: number): string | null {
    if (member < 0) return null;
    const { text, default: usual, parameter } = this.columns;
    if (parameter === "") return text[0];
    const value = this.parameter(member);
    return value === usual ? text[2] : text[0] + plain(value) + text[1];
  }

  scheme(member: number): string {
    const pruner = this.pruner(member);
    return pruner === null ? this.payload.learner : `${this.payload.learner}/${pruner}`;
  }

  /** The command that gives a member. */
  command(member: number): string {
    const pruner = this.pruner(member);
    const { recipe, recipe_takes_scheme } = this.payload;
    if (recipe_takes_scheme) return recipe.replace("{}", () => shellWord(this.scheme(member)));
    if (pruner === null) return "The tree as it was saved: no command is needed.";
    return recipe.replace("{}", () => shellWord(pruner));
  }
}

function shellWord(word: string): string {
  return /^[\w\-./:=,+@%]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
