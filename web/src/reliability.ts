// How reliable an answer is, by the training counts alone (Zhong 4.5): mean and standard deviation of the error rate.
import type { KNorm } from "./payload.ts";
import { total } from "./leafvalues.ts";
import type { Tree } from "./tree.ts";

export interface Reliability {
  error: number;
  sd: number;
}

function moments(tree: Tree, id: number, rule: KNorm): [number, number] {
  const counts = tree.countsAt(id);
  const all = total(counts);
  // The rows of the class that is predicted: not always the largest one, where leaves do not say what was counted.
  const most = tree.leafValues ? counts[tree.answer[id]] : counts.reduce((a, b) => Math.max(a, b), 0);
  const a = all - most + rule.lambda * (tree.classes - 1);
  const b = all + rule.lambda * tree.classes;
  if (b <= 0) return [(tree.classes - 1) / tree.classes, (tree.classes - 1) / tree.classes];
  return [a / b, (a / b) * ((a + 1) / (b + 1))];
}

function reliability([first, second]: [number, number]): Reliability {
  return { error: first, sd: Math.sqrt(Math.max(second - first * first, 0)) };
}

/** Of what a node says as a leaf. */
export function atNode(tree: Tree, id: number, rule: KNorm): Reliability {
  return reliability(moments(tree, id, rule));
}

/** Of the answer to a row that ends in these leaves. */
export function ofRow(tree: Tree, leaves: [number, number][], rule: KNorm): Reliability {
  const all = leaves.reduce((sum, leaf) => sum + leaf[1], 0);
  const mixed: [number, number] = [0, 0];
  for (const [id, share] of leaves) {
    const own = moments(tree, id, rule);
    mixed[0] += (share / all) * own[0];
    mixed[1] += (share / all) * own[1];
  }
  return reliability(mixed);
}
