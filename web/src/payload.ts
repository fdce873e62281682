// What the program writes into the page (crates/secateur/src/page).
import type { Rgb } from "./colours.ts";
import type { LeafValues } from "./leafvalues.ts";
import type { Attribute, StoredTest } from "./tree.ts";

export interface KNorm {
  lambda: number;
  eta: number;
}

export interface PathColumns {
  pruner: string;
  one_line: string;
  paper: string;
  parameter: string;
  text: [string, string, string];
  default: number | null;
  is_whole: boolean;
  is_exact: boolean;
  parameters: number[];
  split_in?: number[];
  cuts?: number[][];
  prior_counts: KNorm | null;
  errors?: (number | null)[];
  se?: (number | null)[];
  marks: [string, number][];
  confusions?: { member: number; weights: number[] }[];
}

export interface ColumnSummary {
  missing: number;
  distinct: number;
  quartiles?: number[];
  counts: number[];
}

export interface Payload {
  version: number;
  title: string;
  made_by: string;
  written_by: string;
  data: string;
  rows: number;
  seed: number;
  scheme: string;
  learner: string;
  command: string;
  recipe: string;
  recipe_takes_scheme: boolean;
  judging_hint: string;
  palette: Rgb[];
  attributes: Attribute[];
  target: { type: "classes" | "number"; name: string; classes?: string[] };
  costs: number[] | null;
  leaf_values: LeafValues | null;
  rule: KNorm | null;
  full_leaves: number;
  tree: {
    nodes: number;
    inner: number[];
    first: number[];
    attribute: number[];
    test: StoredTest[];
    gain: (number | null)[];
    rank: number[];
    rows: number[];
    weight: number[] | null;
    sums?: boolean;
    present?: number[];
    classes?: number[];
    weights?: number[];
    mean?: number[];
    mse?: number[];
    median?: number[] | null;
  };
  model: { before: string; between: string; full: [string, string]; after: string };
  paths: PathColumns[];
  start: [number, number | null];
  judged: string | null;
  /** Of the tree as fitted; pairs are its score and that of the baseline. */
  estimate: { error: number; se: number; by: string; method: string; log_loss?: [number, number]; brier?: [number, number] } | null;
  summary: { rows: number; attributes: ColumnSummary[]; target: ColumnSummary } | null;
  rivals: {
    nodes: number[];
    count: number[];
    attribute: number[];
    test: (StoredTest | null)[];
    gain: (number | null)[];
    own_ratio?: (number | null)[];
    ratio?: (number | null)[];
  } | null;
  distribution: { low: number; high: number; bars: number; nodes: number[]; weights: number[] } | null;
  notes: string[];
}
