// Runner-up splits of a node: what else it could have asked.
import type { App } from "./app.ts";
import { h, named } from "./dom.ts";
import { brief } from "./numbers.ts";
import type { Payload } from "./payload.ts";
import { withMissing } from "./tree.ts";
import type { StoredTest, Test } from "./tree.ts";

/** A test, and the branch of rows without a value; null where the test is too long to be shown. */
type Split = [Test, number] | null;

interface Rival {
  attribute: number;
  test: Split;
  gain: number;
  ratio: number | null;
}

interface Told {
  ownRatio: number | null;
  list: Rival[];
}

function storedSplit(test: StoredTest | null): Split {
  return test === null ? null : withMissing(test);
}

/** What is known of every node. */
export function readRivals({ rivals }: Payload): Map<number, Told> {
  const found = new Map<number, Told>();
  if (!rivals) return found;
  let id = 0;
  let place = 0;
  rivals.nodes.forEach((step, i) => {
    id += step;
    const list = Array.from({ length: rivals.count[i] }, (_, k) => ({
      attribute: rivals.attribute[place + k],
      test: storedSplit(rivals.test[place + k]),
      gain: rivals.gain[place + k] ?? 0,
      ratio: rivals.ratio?.[place + k] ?? null,
    }));
    place += list.length;
    found.set(id, { ownRatio: rivals.own_ratio?.[i] ?? null, list });
  });
  return found;
}

/** The node's own split and its runner-ups as a table, or why there is none. */
export function rivalsTable(app: App, told: Map<number, Told>, id: number): HTMLElement | null {
  const { tree, words, payload } = app;
  if (tree.isLeaf(id)) return null;
  const note = (text: string) => h("p", { class: "small" }, text);
  if (!payload.rivals) return note("Runner-up splits need the data: a page that is made while fitting has them.");
  const here = told.get(id);
  if (!here) return note("Runner-up splits are shown for the heaviest nodes only.");
  if (here.list.length === 0) return note("No other attribute could be asked here.");
  const hasRatio = payload.rivals.own_ratio !== undefined;
  const own: Rival = { attribute: tree.attribute[id], test: [tree.test[id]!, tree.missing[id]], gain: tree.gain[id], ratio: here.ownRatio };
  const number = (x: number | null) => h("td", { class: "n" }, x === null ? "–" : brief(x, 3));
  const line = (rival: Rival, isOwn: boolean) =>
    h(
      "tr",
      { class: isOwn ? "here" : null },
      h("th", { scope: "row" }, named(words.question(rival.attribute, rival.test)), isOwn ? h("span", { class: "small" }, " (taken)") : null),
      number(rival.gain),
      hasRatio ? number(rival.ratio) : null,
    );
  return h(
    "table",
    { class: "rivals" },
    h("caption", {}, "Splits that could be made here"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "split"), h("th", { scope: "col", class: "n" }, "gain"), hasRatio ? h("th", { scope: "col", class: "n" }, "ratio") : null)),
    h("tbody", {}, line(own, true), ...here.list.map((rival) => line(rival, false))),
  );
}
