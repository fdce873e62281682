// A decision tree for {{target}} ({{scheme}}), exported by secateur {{version}}. Do not edit: export again.
//
//     const said = predict({ "first input": 4.9, "second input": "red" });
{{#classes}}
//     said.label, said.probabilities (in the order of CLASSES), said.leaf
{{/classes}}
{{^classes}}
//     said.value, said.leaf
{{/classes}}
//     const all = predictMany(rows);
//
// A row is an object by the names in INPUTS, or an array in their order. A number that is null, undefined or NaN is missing, and
// so are names that an object does not have. Values of lists are texts; null and undefined are missing.
{{#sent}}
// Where a test says where rows without a value go, they go there.
{{/sent}}
// A row without a value, or with one that the tree has never seen, goes down every branch in parts, and what the leaves say is
// added up by their shares of the row.
{{^es}}
(function (root) {
{{/es}}
"use strict";

// What the tree asks for.
const INPUTS = [
{{inputs}}];

// The values of every input that takes values from a list; null for numbers.
const VALUES = [
{{values}}];

{{#classes}}
// The classes.
const CLASSES = [
{{class names}}];

{{/classes}}
{{#costs}}
// What mistakes cost: for every right class a line of predicted classes.
const COSTS = [
{{cost matrix}}];

{{/costs}}
{{#tests}}
// Every node: its input (-1: a leaf), its threshold or place in BRANCHES, its first child (of a leaf its number, from left to
// right), its place in SHARES, how many branches it has, and the branch of rows without a value (-1: all of them).
const NODES = [
{{nodes}}];

{{#lists}}
// The branch of every value of a list; -1 where it has none.
const BRANCHES = [
{{branches}}];

{{/lists}}
// The share of a row without a known value that each branch of a test gets.
const SHARES = [
{{shares}}];

{{/tests}}
// Every leaf, from left to right: its node in the model, its class.
const LEAVES = [
{{leaves}}];

// What every leaf says.
const NUMBERS = [
{{leaf numbers}}];

const CODES = VALUES.map((values) => values && new Map(values.map((value, code) => [value, code])));

/** What the tree says to one row. */
function predict(row) {
    const x = cells(row);
{{#tests}}
{{#nested}}
    const leaf = leafOf(x);
{{/nested}}
{{^nested}}
    const end = way(x, 0);
    const leaf = NODES[6 * end] === -1 ? NODES[6 * end + 2] : -1;
{{/nested}}
    return leaf >= 0 ? said(leaf) : inParts(x);
{{/tests}}
{{^tests}}
    return said(0);
{{/tests}}
}

/** What the tree says to every row. */
function predictMany(rows) {
    return Array.from(rows, predict);
}

// A row as numbers and places in lists of values; NaN is missing, -1 a value that no list has.
function cells(row) {
    let values = row;
    if (!Array.isArray(row)) {
        values = INPUTS.map((name) => (Object.prototype.hasOwnProperty.call(row, name) ? row[name] : null));
    } else if (row.length !== INPUTS.length) {
        throw new RangeError(`a row of ${row.length} values; the tree asks for ${INPUTS.length}`);
    }
    return values.map((value, place) => {
        if (value === null || value === undefined || value !== value) return NaN;
        if (!CODES[place]) return Number(value);
        const code = CODES[place].get(String(value));
        return code === undefined ? -1 : code;
    });
}

function said(leaf) {
{{#classes}}
    const probabilities = NUMBERS.slice(leaf * CLASSES.length, (leaf + 1) * CLASSES.length);
    return { label: CLASSES[LEAVES[2 * leaf + 1]], probabilities, leaf: LEAVES[2 * leaf] };
{{/classes}}
{{^classes}}
    return { value: NUMBERS[leaf], leaf: LEAVES[2 * leaf] };
{{/classes}}
}

{{#tests}}
{{#nested}}
// The leaf of a row; -1 where a value is missing on its way.
function leafOf(x) {
{{tests}}}

{{/nested}}
// The node at which a row ends that begins at a node: a leaf, or a test whose value is missing.
function way(x, node) {
    for (;;) {
        const input = NODES[6 * node];
        if (input < 0) return node;
        const value = x[input];
        const test = NODES[6 * node + 1];
        let branch;
        if (value !== value) branch = NODES[6 * node + 5];
{{#known}}
        else if (test === null) branch = 0;
{{/known}}
{{#lists}}
        else if (CODES[input]) branch = value < 0 ? -1 : BRANCHES[test + value];
{{/lists}}
        else branch = value >= test ? 1 : 0;
        if (branch < 0) return node;
        node = NODES[6 * node + 2] + branch;
    }
}

// What the leaves say, from left to right, each by its share of the row.
function inParts(x) {
{{#classes}}
    const numbers = CLASSES.map(() => 0);
{{/classes}}
{{^classes}}
    const numbers = [0];
{{/classes}}
    const waiting = [[0, 1]];
    let most = 0;
    let heaviest = 0;
    while (waiting.length > 0) {
        const [from, share] = waiting.pop();
        const node = way(x, from);
        const first = NODES[6 * node + 2];
        if (NODES[6 * node] >= 0) {
            for (let branch = NODES[6 * node + 4] - 1; branch >= 0; branch--) {
                const part = share * SHARES[NODES[6 * node + 3] + branch];
                if (part > 0) waiting.push([first + branch, part]);
            }
            continue;
        }
        if (share > most) {
            heaviest = LEAVES[2 * first];
            most = share;
        }
        for (let place = 0; place < numbers.length; place++) {
            numbers[place] += share * NUMBERS[first * numbers.length + place];
        }
    }
{{#classes}}
    return { label: CLASSES[decide(numbers)], probabilities: numbers, leaf: heaviest };
{{/classes}}
{{^classes}}
    return { value: numbers[0], leaf: heaviest };
{{/classes}}
}

{{#classes}}
// The first of the classes that are best up to rounding.
function decide(numbers) {
{{#costs}}
    const risks = CLASSES.map((_, label) => {
        let risk = 0;
        for (let actual = 0; actual < CLASSES.length; actual++) {
            risk += numbers[actual] * COSTS[actual * CLASSES.length + label];
        }
        return risk;
    });
    const least = risks.reduce((a, b) => Math.min(a, b));
    return risks.findIndex((risk) => risk <= least + 1e-10 * Math.abs(least));
{{/costs}}
{{^costs}}
    const largest = numbers.reduce((a, b) => Math.max(a, b));
    return numbers.findIndex((p) => p >= largest - 1e-10 * Math.abs(largest));
{{/costs}}
}

{{/classes}}
{{/tests}}
{{#classes}}
const api = { predict, predictMany, INPUTS, VALUES, CLASSES };
{{/classes}}
{{^classes}}
const api = { predict, predictMany, INPUTS, VALUES };
{{/classes}}
{{#es}}
export default api;
export { predict, predictMany, INPUTS, VALUES };
{{/es}}
{{^es}}
if (typeof module === "object" && module.exports) module.exports = api;
else root["{{name}}"] = api;
})(typeof globalThis === "object" ? globalThis : this);
{{/es}}
