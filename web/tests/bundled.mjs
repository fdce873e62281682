// Modules of the page for tests without a browser.
import { build } from "esbuild";

export async function bundled(name) {
  const entry = new URL(`../src/${name}`, import.meta.url).pathname;
  const result = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm", charset: "utf8" });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`);
}
