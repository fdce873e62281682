// Branches in words, as the library writes them.
import assert from "node:assert/strict";
import test from "node:test";
import { bundled } from "./bundled.mjs";

const { Words } = await bundled("words.ts");

/** What the branch below a threshold asks, and the one above it. */
function told(threshold) {
  const words = new Words({ n: 1, attributes: [{ name: "x" }], attribute: [0], test: [threshold] }, {});
  return [words.phrase(0, { low: null, high: threshold, missing: false }), words.phrase(0, { low: threshold, high: null, missing: false })];
}

test("a number that is rounded stays on its side of a threshold", () => {
  const words = new Words({ n: 1, attributes: [{ name: "x" }], attribute: [0], test: [77.5] }, {});
  assert.deepEqual([77.12345678912, 77.4999999999, 77.5].map((x) => words.number(0, x)), ["77.123457", "77.4999999999", "77.5"]);
});

test("a threshold is written in full, or as the number before it", () => {
  // The middle of 4.1 and 4.1184 is a little less than 4.1092, which goes right.
  assert.deepEqual(told((4.1 + 4.1184) / 2), ["x < 4.1092", "x ≥ 4.1092"]);
  assert.deepEqual(told(2.4500000000000006), ["x ≤ 2.45", "x > 2.45"]);
  assert.deepEqual(told(4.1092345123), ["x < 4.1092345123", "x ≥ 4.1092345123"]);
});
