// The model file of a pruned tree, byte for byte as `secateur prune` writes it.
import { inModel } from "./numbers.ts";
import type { Path } from "./paths.ts";
import type { Tree } from "./tree.ts";

export function modelText(path: Path, member: number): string {
  const { tree, payload, columns } = path;
  const split = path.splits(member);
  const { before, between, full, after } = payload.model;
  // The nodes that stay keep their order.
  const place = new Int32Array(tree.n);
  const kept: number[] = [];
  for (let id = 0; id < tree.n; id++) {
    if (id > 0 && !split[tree.parent[id]]) continue;
    place[id] = kept.length;
    kept.push(id);
  }
  const isCut = kept.length < tree.n;
  const counts = member >= 0 ? columns.prior_counts : null;
  const rule = counts ? `\n"prior_counts": {"lambda":${float(counts.lambda)},"eta":${float(counts.eta)}},` : "";
  // Older readers do not know where missing values go.
  const isNewer = kept.some((id) => split[id] && tree.missing[id] >= 0);
  const head =
    (isNewer ? before.replace('"version": 1', '"version": 2') : before) + JSON.stringify(path.scheme(member)) + between + full[isCut ? 1 : 0] + after + rule + '\n"nodes": [\n';
  const lines = kept.map((id) => nodeLine(tree, id, split[id] === 1, place));
  return `${head}${lines.join(",\n")}\n]\n}\n`;
}

/** A number that always has a point or an exponent. */
function float(x: number): string {
  const text = inModel(x);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function nodeLine(tree: Tree, id: number, isSplit: boolean, place: Int32Array): string {
  const parent = id === 0 ? "null" : place[tree.parent[id]];
  let line = `{"parent":${parent}`;
  if (isSplit) line += `,"split":${split(tree, id)},"first_child":${place[tree.first[id]]}`;
  line += `,"rows":${tree.rows[id]},"weight":${inModel(tree.weight[id])}`;
  if (tree.isClassifier) line += `,"counts":[${Array.from(tree.countsAt(id), inModel).join(",")}]`;
  else {
    line += `,"mean":${inModel(tree.mean[id])},"mse":${inModel(tree.mse[id])}`;
    if (tree.median) line += `,"median":${inModel(tree.median[id])}`;
  }
  if (isSplit) line += `,"gain":${inModel(tree.gain[id])},"rank":${tree.rank[id]}`;
  return `${line}}`;
}

function split(tree: Tree, id: number): string {
  const attribute = tree.attributes[tree.attribute[id]];
  const name = JSON.stringify(attribute.name);
  const test = tree.test[id]!;
  const missing = tree.missing[id] < 0 ? "" : `,"missing":"${tree.missing[id] === 0 ? "left" : "right"}"`;
  if (typeof test === "number") return `{"attribute":${name},"less_than":${inModel(test)}${missing}}`;
  if ("known" in test) return `{"attribute":${name},"known":true}`;
  if (!Array.isArray(test)) return `{"attribute":${name},"each_value":true${missing && ',"missing":"branch"'}}`;
  const side = (codes: number[]) => codes.map((code) => JSON.stringify(attribute.values![code])).join(",");
  return `{"attribute":${name},"left":[${side(test[0])}],"right":[${side(test[1])}]${missing}}`;
}
