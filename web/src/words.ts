// Tests, rules and answers in words, as the reports of the library write them.
import { brief, count, exact, moment, percent, rounded, thresholdText, weight } from "./numbers.ts";
import type { Payload } from "./payload.ts";
import type { Test, Tree } from "./tree.ts";

/** What a rule asks of one attribute: a range or one of these codes (where `missing` says so, no value will do, too), or whether it is known. */
export type Asked = { low: number | null; high: number | null; missing: boolean } | { codes: number[]; missing: boolean } | { known: boolean };

/** Whether no value will do. */
export function takesMissing(asked: Asked): boolean {
  return "known" in asked ? !asked.known : asked.missing;
}

/** Whether no value passes. */
export function hasNoValue(asked: Asked): boolean {
  if ("known" in asked) return !asked.known;
  if ("codes" in asked) return asked.codes.length === 0;
  return asked.low !== null && asked.high !== null && asked.low >= asked.high;
}

/** Characters that would change how a line is read are shown by their numbers. */
export function safe(text: string): string {
  if (text === "") return "''";
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => {
    return `\\u{${c.codePointAt(0)!.toString(16)}}`;
  });
}

export function shortened(text: string, most: number): string {
  const all = Array.from(text);
  return all.length <= most ? text : `${all.slice(0, most - 1).join("").trimEnd()}…`;
}

export class Words {
  private readonly thresholds: number[][];
  private readonly branchCache: string[] = [];
  private readonly searchCache: string[] = [];
  /** Thresholds as texts, attribute by attribute. */
  private readonly texts: Map<number, [boolean, string]>[];

  constructor(
    readonly tree: Tree,
    readonly payload: Payload,
  ) {
    this.texts = tree.attributes.map(() => new Map());
    const own: Set<number>[] = tree.attributes.map(() => new Set());
    for (let id = 0; id < tree.n; id++) {
      const test = tree.test[id];
      if (typeof test === "number") own[tree.attribute[id]].add(test);
    }
    this.thresholds = own.map((set) => Array.from(set).sort((a, b) => a - b));
  }

  name(attribute: number): string {
    return safe(this.tree.attributes[attribute].name);
  }

  value(attribute: number, code: number): string {
    return safe(this.tree.attributes[attribute].values![code]);
  }

  /** In eight digits, or in more where the number would seem to be on the other side of a threshold. */
  number(attribute: number, x: number): string {
    const kind = this.tree.attributes[attribute].shown_as;
    if (kind) return moment(x, kind);
    for (let digits = 8; digits < 17; digits++) {
      const text = rounded(x, digits);
      if (this.thresholds[attribute].every((t) => t <= Number(text) === t <= x)) return text;
    }
    return exact(x);
  }

  /** Whether the number shown, however it is rounded, belongs to what is below the threshold, and the number. */
  private threshold(attribute: number, below: number): [boolean, string] {
    const known = this.texts[attribute];
    let text = known.get(below);
    if (!text) known.set(below, (text = this.freshThreshold(attribute, below)));
    return text;
  }

  private freshThreshold(attribute: number, below: number): [boolean, string] {
    const kind = this.tree.attributes[attribute].shown_as;
    if (kind) return [false, moment(below, kind)];
    return thresholdText(below);
  }

  /** What the branch to a child asks, without the attribute's name; lists of values in at most this many characters. */
  branch(child: number, room = 24): string {
    if (child === 0) return "";
    const parent = this.tree.parent[child];
    return this.asked(this.tree.attribute[parent], branchOf(this.tree, child), room).sign;
  }

  /** What the branches of a split ask, each in about this many characters, and no two alike. */
  branches(parent: number, room = 24): string[] {
    const { first, count } = this.tree;
    const children = Array.from({ length: count[parent] }, (_, i) => first[parent] + i);
    const texts = children.map((child) => this.branch(child, room));
    const alike = new Map<string, number[]>();
    texts.forEach((text, i) => alike.set(text, [...(alike.get(text) ?? []), i]));
    for (const places of alike.values()) {
      if (places.length < 2) continue;
      const wholes = places.map((i) => Array.from(this.branch(children[i], 1e9)));
      // From a little before the first place where they differ.
      let same = 0;
      while (wholes.every((whole) => same < whole.length && whole[same] === wholes[0][same])) same++;
      places.forEach((i, k) => {
        const sign = wholes[k].slice(0, wholes[k].indexOf(" ") + 1).join("");
        texts[i] = `${sign}…${shortened(wholes[k].slice(Math.max(same - 4, sign.length)).join(""), room)}`;
      });
    }
    // Those that differ in many places take all the room that they need.
    return new Set(texts).size === texts.length ? texts : children.map((child) => this.branch(child, 1e9));
  }

  branchFull(child: number): string {
    if (child === 0) return "";
    return (this.branchCache[child] ??= `${this.name(this.tree.attribute[this.tree.parent[child]])} ${this.branch(child, 1e9)}`);
  }

  /** The same in small letters, for searching. */
  branchLower(child: number): string {
    return (this.searchCache[child] ??= this.branchFull(child).toLowerCase());
  }

  /** A test as what stands before the name of the attribute, and after it. */
  asked(attribute: number, asked: Asked, room = 1e9): { before: string; sign: string } {
    if ("known" in asked) return { before: "", sign: asked.known ? "is known" : "is missing" };
    const orMissing = asked.missing ? " (or missing)" : "";
    if ("codes" in asked) return { before: "", sign: this.list(attribute, asked.codes, room) + orMissing };
    if (asked.low === null && asked.high === null) return { before: "", sign: `is known${orMissing}` };
    const low = asked.low === null ? null : this.threshold(attribute, asked.low);
    const high = asked.high === null ? null : this.threshold(attribute, asked.high);
    const under = high ? `${high[0] ? "≤" : "<"} ${high[1]}${orMissing}` : "";
    if (!low) return { before: "", sign: under };
    if (!high) return { before: "", sign: `${low[0] ? ">" : "≥"} ${low[1]}${orMissing}` };
    return { before: `${low[1]} ${low[0] ? "<" : "≤"} `, sign: under };
  }

  /** A split in words: the test of its first branch, or that there is a branch for every value. */
  question(attribute: number, split: [Test, number] | null): string {
    if (split === null) return `${this.name(attribute)} (lists of values)`;
    const [test, branch] = split;
    const missing = branch === 0;
    if (typeof test === "number") return this.phrase(attribute, { low: null, high: test, missing });
    if (Array.isArray(test)) return this.phrase(attribute, { codes: test[0], missing }, 40);
    if ("known" in test) return this.phrase(attribute, { known: true });
    return `${this.name(attribute)} (${test.values + (branch < 0 ? 0 : 1)} branches)`;
  }

  phrase(attribute: number, asked: Asked, room = 1e9): string {
    const { before, sign } = this.asked(attribute, asked, room);
    return `${before}${this.name(attribute)} ${sign}`;
  }

  /** `= a`, `in {a, b, +12}`, or what it is not where that is shorter. */
  private list(attribute: number, codes: number[], room: number): string {
    const all = this.tree.attributes[attribute].values!.length;
    const without = all - codes.length < codes.length && codes.length < all;
    const own = new Set(codes);
    const listed = without ? Array.from({ length: all }, (_, c) => c).filter((c) => !own.has(c)) : codes;
    if (listed.length === 1) return `${without ? "≠" : "="} ${shortened(this.value(attribute, listed[0]), Math.max(room, 8))}`;
    let text = "";
    let i = 0;
    for (; i < listed.length; i++) {
      const next = (i === 0 ? "" : ", ") + shortened(this.value(attribute, listed[i]), Math.max(room, 8));
      if (i > 0 && text.length + next.length > room) break;
      text += next;
    }
    const rest = listed.length - i;
    return `${without ? "not in" : "in"} {${text}${rest > 0 ? `, +${rest}` : ""}}`;
  }

  /** What a node predicts. */
  answer(id: number): string {
    return this.said(this.tree.answer[id]);
  }

  said(answer: number): string {
    return this.tree.isClassifier ? safe(this.tree.labels[answer]) : brief(answer, 5);
  }

  /** The standard deviation of the target at a node of numbers. */
  spread(id: number): string {
    const speaker = this.tree.speaker[id];
    return brief(Math.sqrt(this.tree.error[speaker] / this.tree.weight[speaker]), 3);
  }

  /** An error of the whole tree as it is shown: a rate, a cost, or of squares the root, which is in the unit of the target. */
  onScale(x: number): number {
    return this.tree.isClassifier ? x : Math.sqrt(Math.max(x, 0));
  }

  /** The standard error on that scale. */
  private seOnScale(error: number, se: number): number {
    if (this.tree.isClassifier) return se;
    return error > 0 ? se / (2 * Math.sqrt(error)) : 0;
  }

  /** An error that is on the scale already. */
  scaled(x: number): string {
    return this.tree.isClassifier && !this.tree.costs ? percent(x) : brief(x, 4);
  }

  error(x: number | null): string {
    return x === null || Number.isNaN(x) ? "–" : this.scaled(this.onScale(x));
  }

  se(error: number | null, se: number | null): string {
    return error === null || se === null || Number.isNaN(se) ? "–" : this.tree.isClassifier && !this.tree.costs ? percent(se) : brief(this.seOnScale(error, se), 2);
  }

  get errorName(): string {
    return !this.tree.isClassifier ? "RMSE" : this.tree.costs ? "cost per row" : "error";
  }

  rows(id: number): string {
    const { rows, weight: weights } = this.tree;
    const text = `${count(rows[id])} ${rows[id] === 1 ? "row" : "rows"}`;
    return weights[id] === rows[id] ? text : `${text}, weight ${weight(weights[id])}`;
  }

  /** What a rule asks, attribute by attribute, in the order of the way down. */
  rule(id: number): [number, Asked][] {
    const { tree } = this;
    const way: number[] = [];
    for (let node = id; node > 0; node = tree.parent[node]) way.push(node);
    const asked = new Map<number, Asked>();
    for (const child of way.reverse()) {
      const attribute = tree.attribute[tree.parent[child]];
      const own = branchOf(tree, child);
      const before = asked.get(attribute);
      asked.set(attribute, before ? both(before, own) : own);
    }
    return Array.from(asked);
  }

  ruleText(id: number): string {
    const tests = this.rule(id).map(([attribute, asked]) => this.phrase(attribute, asked));
    return tests.length ? tests.join(" and ") : "always";
  }
}

/** What the branch to a child asks of its parent's attribute. */
export function branchOf(tree: Tree, child: number): Asked {
  const parent = tree.parent[child];
  const test = tree.test[parent]!;
  const branch = child - tree.first[parent];
  const missing = tree.missing[parent] === branch;
  if (typeof test === "number") return branch === 0 ? { low: null, high: test, missing } : { low: test, high: null, missing };
  if (Array.isArray(test)) return { codes: test[branch], missing };
  if (missing) return { known: false };
  return "known" in test ? { known: true } : { codes: [branch], missing };
}

/** What passes both tests. */
function both(a: Asked, b: Asked): Asked {
  const missing = takesMissing(a) && takesMissing(b);
  const asked = known(a, b, missing);
  return missing && hasNoValue(asked) ? { known: false } : asked;
}

function known(a: Asked, b: Asked, missing: boolean): Asked {
  if ("known" in a && a.known) return "known" in b ? (b.known ? b : { codes: [], missing }) : { ...b, missing };
  if ("known" in b && b.known) return "known" in a ? { codes: [], missing } : { ...a, missing };
  if ("codes" in a && "codes" in b) return { codes: a.codes.filter((code) => b.codes.includes(code)), missing };
  if ("codes" in a || "codes" in b || "known" in a || "known" in b) return { codes: [], missing };
  const least = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : Math.min(x, y));
  const most = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : Math.max(x, y));
  return { low: most(a.low, b.low), high: least(a.high, b.high), missing };
}
