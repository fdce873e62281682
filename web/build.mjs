// Builds the page: one template with its script and style inside, allowed by their hashes and nothing else.
// `node build.mjs --check` compares with what is checked in.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const target = new URL("../crates/secateur/src/page/explorer.html", here);

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [new URL(entry, here).pathname],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15"],
    charset: "utf8",
    legalComments: "none",
    loader,
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const script = await bundle("src/main.ts", {});
const style = await bundle("src/style.css", {});
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
const page = readFileSync(new URL("src/page.html", here), "utf8")
  .replace("{policy}", () => policy)
  .replace("{style}", () => style)
  .replace("{script}", () => script);

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    console.error("explorer.html is not what web/ builds; run `npm run build` in web/ and commit the result");
    process.exit(1);
  }
} else {
  writeFileSync(target, page);
  console.log(`explorer.html: ${Math.round(page.length / 1024)} kB`);
}
