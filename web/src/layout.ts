// Where nodes are drawn: the rule of the library's room `layout`, to the last bit (tests/layout.test.mjs compares).

/** The shown part of a tree: the parent of every node (the root's is -1), parents before children, siblings together. */
export interface Part {
  parents: Int32Array;
  first: Int32Array;
  count: Int32Array;
  depths: Int32Array;
}

export interface Gaps {
  siblings: number;
  cousins: number;
  levels: number;
}

export interface Placed {
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

export function partOf(parents: ArrayLike<number>): Part {
  const n = parents.length;
  const part = {
    parents: Int32Array.from(parents),
    first: new Int32Array(n),
    count: new Int32Array(n),
    depths: new Int32Array(n),
  };
  for (let place = 1; place < n; place++) {
    const parent = part.parents[place];
    part.depths[place] = part.depths[parent] + 1;
    if (part.count[parent]++ === 0) part.first[parent] = place;
  }
  return part;
}

/** Bands: every node as wide as its weight, from 0 to 1, below the node it comes from. */
export function icicle(part: Part, weights: ArrayLike<number>): { left: Float64Array; width: Float64Array } {
  const n = part.parents.length;
  const left = new Float64Array(n);
  const width = new Float64Array(n);
  width[0] = 1;
  for (let place = 0; place < n; place++) {
    const end = part.first[place] + part.count[place];
    let all = 0;
    for (let child = part.first[place]; child < end; child++) all += Math.max(weights[child], 0);
    let before = 0;
    for (let child = part.first[place]; child < end; child++) {
      const own = Math.max(weights[child], 0);
      if (all > 0) {
        left[child] = left[place] + width[place] * (before / all);
        width[child] = width[place] * (own / all);
      } else {
        left[child] = left[place];
      }
      before += own;
    }
  }
  return { left, width };
}

/** A tidy drawing (Reingold and Tilford; Buchheim, Jünger and Leipert): see `layout/tidy.rs`. */
export function tidy(part: Part, widths: ArrayLike<number>, heights: ArrayLike<number>, gaps: Gaps): Placed {
  const n = part.parents.length;
  const walk = new Walk(part, widths, gaps);
  for (let place = n - 1; place >= 0; place--) walk.placeChildren(place);
  const x = walk.positions();
  let left = Infinity;
  for (let i = 0; i < n; i++) left = Math.min(left, x[i] - widths[i] / 2);
  let width = 0;
  for (let i = 0; i < n; i++) {
    x[i] -= left;
    width = Math.max(width, x[i] + widths[i] / 2);
  }
  const tops: number[] = [];
  for (let i = 0; i < n; i++) {
    const depth = part.depths[i];
    tops[depth] = Math.max(tops[depth] ?? 0, heights[i]);
  }
  let next = 0;
  for (let depth = 0; depth < tops.length; depth++) {
    const below = next + tops[depth];
    tops[depth] = next;
    next = below + gaps.levels;
  }
  const y = Float64Array.from(part.depths, (depth) => tops[depth]);
  return { x, y, width, height: next - gaps.levels };
}

class Walk {
  private middle: Float64Array;
  private near: Float64Array;
  private offset: Float64Array;
  private shift: Float64Array;
  private change: Float64Array;
  private thread: Int32Array;
  private ancestor: Int32Array;

  constructor(
    private part: Part,
    private widths: ArrayLike<number>,
    private gaps: Gaps,
  ) {
    const n = part.parents.length;
    this.middle = new Float64Array(n);
    this.near = new Float64Array(n);
    this.offset = new Float64Array(n);
    this.shift = new Float64Array(n);
    this.change = new Float64Array(n);
    this.thread = new Int32Array(n).fill(-1);
    this.ancestor = Int32Array.from({ length: n }, (_, i) => i);
  }

  placeChildren(place: number): void {
    const count = this.part.count[place];
    if (count === 0) return;
    const first = this.part.first[place];
    const last = first + count - 1;
    let fallback = first;
    for (let child = first; child <= last; child++) {
      if (child === first) {
        this.near[child] = this.middle[child];
        continue;
      }
      this.near[child] = this.near[child - 1] + this.distance(child - 1, child);
      if (this.part.count[child] > 0) this.offset[child] = this.near[child] - this.middle[child];
      fallback = this.moveApart(first, child, fallback);
    }
    let shift = 0;
    let change = 0;
    for (let child = last; child >= first; child--) {
      this.near[child] += shift;
      this.offset[child] += shift;
      change += this.change[child];
      shift += this.shift[child] + change;
    }
    this.middle[place] = (this.near[first] + this.near[last]) / 2;
  }

  private moveApart(first: number, child: number, fallback: number): number {
    let inLeft = child - 1;
    let inRight = child;
    let outLeft = first;
    let outRight = child;
    let sumInLeft = this.offset[inLeft];
    let sumInRight = this.offset[inRight];
    let sumOutLeft = this.offset[outLeft];
    let sumOutRight = this.offset[outRight];
    for (;;) {
      const left = this.lastBelow(inLeft);
      const right = this.firstBelow(inRight);
      if (left < 0 || right < 0) break;
      inLeft = left;
      inRight = right;
      const outerLeft = this.firstBelow(outLeft);
      const outerRight = this.lastBelow(outRight);
      if (outerLeft >= 0) outLeft = outerLeft;
      if (outerRight >= 0) outRight = outerRight;
      this.ancestor[outRight] = child;
      const overlap =
        this.near[inLeft] + sumInLeft - (this.near[inRight] + sumInRight) + this.distance(inLeft, inRight);
      if (overlap > 0) {
        const owner = this.ancestor[inLeft];
        this.moveSubtree(owner >= first && owner < child ? owner : fallback, child, overlap);
        sumInRight += overlap;
        sumOutRight += overlap;
      }
      sumInLeft += this.offset[inLeft];
      sumInRight += this.offset[inRight];
      sumOutLeft += this.offset[outLeft];
      sumOutRight += this.offset[outRight];
    }
    const moreLeft = this.lastBelow(inLeft);
    if (moreLeft >= 0 && this.lastBelow(outRight) < 0) {
      this.thread[outRight] = moreLeft;
      this.offset[outRight] += sumInLeft - sumOutRight;
    }
    const moreRight = this.firstBelow(inRight);
    if (moreRight >= 0 && this.firstBelow(outLeft) < 0) {
      this.thread[outLeft] = moreRight;
      this.offset[outLeft] += sumInRight - sumOutLeft;
      fallback = child;
    }
    return fallback;
  }

  private moveSubtree(from: number, child: number, by: number): void {
    const steps = child - from;
    this.change[child] -= by / steps;
    this.shift[child] += by;
    this.change[from] += by / steps;
    this.near[child] += by;
    this.offset[child] += by;
  }

  private firstBelow(place: number): number {
    return this.part.count[place] > 0 ? this.part.first[place] : this.thread[place];
  }

  private lastBelow(place: number): number {
    const count = this.part.count[place];
    return count > 0 ? this.part.first[place] + count - 1 : this.thread[place];
  }

  private distance(left: number, right: number): number {
    const family = this.part.parents[left] === this.part.parents[right];
    return (this.widths[left] + this.widths[right]) / 2 + (family ? this.gaps.siblings : this.gaps.cousins);
  }

  positions(): Float64Array {
    const x = this.near;
    const moved = new Float64Array(x.length);
    x[0] = this.middle[0];
    for (let place = 1; place < x.length; place++) {
      const above = moved[this.part.parents[place]];
      x[place] += above;
      moved[place] = above + this.offset[place];
    }
    return x;
  }
}
