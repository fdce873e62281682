// What is chosen stands in the address's fragment, so that a link to the file shows the same.
import type { App } from "./app.ts";
import { UNSEEN } from "./tree.ts";

export function readState(app: App): void {
  const state = new URLSearchParams(location.hash.slice(1));
  const path = app.payload.paths.findIndex((p) => p.pruner === state.get("path"));
  if (path >= 0) app.choosePath(path);
  const leaves = Number(state.get("leaves"));
  if (leaves >= 1) app.moveTo(app.path.nearest(leaves));
  const node = Number(state.get("node"));
  if (Number.isInteger(node) && node > 0 && node < app.tree.n && app.isThere(node)) {
    app.selected = node;
    app.reveal(node);
  }
  const row = state.get("row")?.split(",");
  if (row?.length === app.row.length) {
    app.row = row.map((cell, i) => {
      const x = cell === "" ? NaN : Number(cell);
      const { values } = app.payload.attributes[i];
      return Number.isNaN(x) || (values && x !== UNSEEN && !(x in values)) ? null : x;
    });
  }
}

let waiting = 0;

export function writeState(app: App): void {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const state = new URLSearchParams();
    state.set("path", app.path.columns.pruner);
    state.set("leaves", String(app.stop.leaves));
    if (app.selected > 0) state.set("node", String(app.selected));
    if (app.row.some((cell) => cell !== null)) state.set("row", app.row.map((cell) => cell ?? "").join(","));
    history.replaceState(null, "", `#${state}`);
  }, 300);
}
