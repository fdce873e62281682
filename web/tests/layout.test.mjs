// Positions are those of the library, to the last bit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { bundled } from "./bundled.mjs";

test("the page places nodes as the library does", async () => {
  const { partOf, tidy, icicle } = await bundled("layout.ts");
  const cases = JSON.parse(readFileSync(new URL("../../crates/secateur/tests/layout.json", import.meta.url), "utf8"));
  assert.ok(cases.length >= 10);
  for (const kept of cases) {
    const part = partOf([-1, ...kept.parents]);
    const [siblings, cousins, levels] = kept.gaps;
    const placed = tidy(part, kept.sizes.map((s) => s[0]), kept.sizes.map((s) => s[1]), { siblings, cousins, levels });
    assert.deepEqual([...placed.x], kept.x);
    assert.deepEqual([...placed.y], kept.y);
    assert.deepEqual([placed.width, placed.height], [kept.width, kept.height]);
    const bands = icicle(part, kept.weights);
    assert.deepEqual([[...bands.left], [...bands.width]], [kept.left, kept.band]);
  }
});
