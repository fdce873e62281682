// Reads rows, asks the exported tree, writes its answers: the files that protocol.rs describes.
import fs from "node:fs";

const head = JSON.parse(fs.readFileSync("rows.json", "utf8"));
const { default: tree } = await import(`./${head.exported}`);

const columns = head.inputs.map((input, place) => {
    const bytes = fs.readFileSync(`column-${place}.bin`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = (row) => view.getFloat64(8 * row, true);
    const texts = (row) => {
        const code = view.getUint32(4 * row, true);
        return code === head.missing ? null : input.levels[code];
    };
    return input.levels === null ? numbers : texts;
});
const rows = Array.from({ length: head.rows }, (_, row) => columns.map((cell) => cell(row)));
const said = tree.predictMany(rows);

// By their names, too, for some rows.
for (let row = 0; row < rows.length; row += 97) {
    const named = Object.fromEntries(head.inputs.map((input, place) => [input.name, rows[row][place]]));
    if (JSON.stringify(tree.predict(named)) !== JSON.stringify(said[row])) throw new Error(`row ${row} by names`);
}

const number = (list) => Buffer.from(Float64Array.from(list).buffer);
const word = (list) => Buffer.from(Uint32Array.from(list).buffer);
if (head.classes.length > 0) {
    const names = [...new Set(said.map((one) => one.label))];
    const places = new Map(names.map((name, place) => [name, place]));
    const text = (name) => [word([Buffer.byteLength(name)]), Buffer.from(name)];
    fs.writeFileSync("names.bin", Buffer.concat(names.flatMap(text)));
    fs.writeFileSync("labels.bin", word(said.map((one) => places.get(one.label))));
    fs.writeFileSync("numbers.bin", number(said.flatMap((one) => one.probabilities)));
} else {
    fs.writeFileSync("numbers.bin", number(said.map((one) => one.value)));
}
fs.writeFileSync("leaves.bin", word(said.map((one) => one.leaf)));
