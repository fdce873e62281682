// Colours of classes and numbers. Classes also have a letter, so that colour is never the only sign.
import type { Tree } from "./tree.ts";

export type Rgb = [number, number, number];

export class Colours {
  private low = Infinity;
  private high = -Infinity;
  private paper: Rgb = [255, 255, 255];
  private readonly known: string[] = [];
  fallen = "";
  ink = "";
  line = "";

  constructor(
    private readonly tree: Tree,
    private readonly palette: Rgb[],
  ) {
    if (!tree.isClassifier) {
      for (const value of tree.answer) {
        this.low = Math.min(this.low, value);
        this.high = Math.max(this.high, value);
      }
    }
    this.refresh();
  }

  /** Reads the theme's own colours again. */
  refresh(): void {
    this.known.length = 0;
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(name).trim();
    const paper = /^#(..)(..)(..)$/.exec(of("--paper"));
    if (paper) this.paper = [1, 2, 3].map((i) => parseInt(paper[i], 16)) as Rgb;
    this.fallen = of("--fallen");
    this.ink = of("--ink");
    this.line = of("--line");
  }

  private mixed(base: Rgb, strength: number): string {
    return `rgb(${base.map((c, i) => Math.round(this.paper[i] + (c - this.paper[i]) * strength)).join(" ")})`;
  }

  ofClass(label: number, strength = 0.9): string {
    return this.mixed(this.palette[label % this.palette.length], strength);
  }

  /** A letter for a class: a, b, … z, a2, … */
  letter(label: number): string {
    return String.fromCharCode(97 + (label % 26)) + (label >= 26 ? Math.floor(label / 26) + 1 : "");
  }

  place(value: number): number {
    return this.high > this.low ? (value - this.low) / (this.high - this.low) : 0.5;
  }

  /** Of a node: its class, the paler the more others there are; or its number, the stronger the larger. */
  ofNode(id: number): string {
    return (this.known[id] ??= this.fresh(id));
  }

  private fresh(id: number): string {
    const { tree } = this;
    if (!tree.isClassifier) return this.mixed(this.palette[0], 0.12 + 0.78 * this.place(tree.answer[id]));
    const even = 1 / tree.classes;
    const purity = tree.classes > 1 ? (tree.confidence(id) - even) / (1 - even) : 1;
    return this.ofClass(tree.answer[id], 0.2 + 0.7 * Math.max(Number.isFinite(purity) ? purity : 0, 0));
  }
}
