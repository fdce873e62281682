// Numbers as the library writes them.
import assert from "node:assert/strict";
import test from "node:test";
import { bundled } from "./bundled.mjs";

const numbers = await bundled("numbers.ts");

test("numbers of reports are short and not misleading", () => {
  const shown = [0, -0, 0.8, 4.95, 0.15000000000000002, 1234567.5, 1 / 3, 1e-9, 1.5e20, 1e22 / 7, 1700000001.53125, -2 / 3];
  assert.equal(
    shown.map((x) => numbers.rounded(x, 8)).join(" "),
    "0 0 0.8 4.95 0.15 1234567.5 0.33333333 1e-9 1.5e20 1.4285714e21 1700000001.5 -0.66666667",
  );
  assert.equal(numbers.atMost(2.4500000000000006), 2.45);
  assert.equal(numbers.atMost(2.5), null);
});

test("thresholds are not rounded", () => {
  const below = (9e15 + 2 + (9e15 + 4)) / 2;
  assert.deepEqual(numbers.thresholdText(below), [false, "9.000000000000003e15"]);
  assert.deepEqual(numbers.thresholdText(4.1092345123), [false, "4.1092345123"]);
  assert.deepEqual(numbers.thresholdText(2.4500000000000006), [true, "2.45"]);
  assert.deepEqual(numbers.thresholdText((4.1 + 4.1184) / 2), [false, "4.1092"]);
  assert.deepEqual(numbers.thresholdText(Number.MAX_VALUE)[0], false);
});

test("numbers of models and schemes keep every bit", () => {
  assert.deepEqual([1, 0.5, 1e-7, 1.5e20, 1e15, 123456.75, 1e-5, 1e-6].map(numbers.inModel), [
    "1", "0.5", "1e-7", "1.5e20", "1000000000000000.0", "123456.75", "0.00001", "1e-6",
  ]);
  assert.deepEqual([1e-7, 1e21, 0.1, 12, -2.5e-3].map(numbers.plain), ["0.0000001", "1000000000000000000000", "0.1", "12", "-0.0025"]);
});

test("the simplest number of a range is in it", () => {
  assert.equal(numbers.simplest(0.00612, 0.00688), 0.0062);
  assert.equal(numbers.simplest(0.0058, 0.0066), 0.006);
  assert.equal(numbers.simplest(-1, 1), 0);
  assert.equal(numbers.simplest(2.71, 3.4), 3);
  for (let i = 0; i < 2000; i++) {
    const low = Math.random() * 10 ** (Math.random() * 20 - 10);
    const high = low * (1 + Math.random());
    const x = numbers.simplest(low, high);
    assert.ok(x >= low && x < high, `${low} ${x} ${high}`);
  }
});

test("dates are read and shown", () => {
  assert.equal(numbers.moment(1577923200, "date"), "2020-01-02");
  assert.equal(numbers.moment(1577966400.5, "date"), "2020-01-02 12:00:00.5");
  assert.equal(numbers.moment(8.5 * 3600, "time"), "08:30");
  // A millionth of a second, and the half of one: a threshold is not shown as the value beside it.
  assert.equal(numbers.moment(60.000001, "time"), "00:01:00.000001");
  assert.equal(numbers.moment(60.0000015, "time"), "00:01:00.0000015");
  assert.equal(numbers.parsed("2020-01-02", "date"), 1577923200);
  assert.ok(Number.isNaN(numbers.parsed("12a")));
});
