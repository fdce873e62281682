// The page in a real browser: every test is about a page that the program has written.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, launch, open, secateur } from "./browser.mjs";

let browser;
before(async () => {
  secateur("fit", "builtin:iris", "-s", "cart", "-o", "full.json", "-q");
  secateur("fit", "builtin:iris", "-s", "cart/cost-complexity:cv=10,1se", "--report", "iris.html", "-q");
  secateur("fit", "builtin:credit?n=400", "-s", "cart", "-o", "credit.json", "-q");
  secateur("fit", "builtin:credit?n=400", "-s", "cart/cost-complexity:cv=10,1se", "--report", "credit.html", "-q");
  secateur("fit", "builtin:friedman?n=400", "-s", "cart/cost-complexity:cv=10,1se", "--report", "numbers.html", "-q");
  secateur("fit", "builtin:friedman?n=400", "-s", "cart", "-o", "numbers.json", "-q");
  writeFileSync(join(folder, "gaps.csv"), tableWithGaps());
  for (const learner of ["cart", "c45"]) {
    secateur("fit", "gaps.csv", "-s", `${learner}:missing=branch`, "-o", `gaps-${learner}.json`, "--report", `gaps-${learner}.html`, "-q");
  }
  for (const values of ["shrink", "laplace", "m=1.5"]) secateur("fit", "builtin:credit?n=400", "-s", "cart/cost-complexity:cv=10,1se", "--leaf-values", values, "--report", `credit-${values}.html`, "-q");
  for (const values of ["shrink=7", "m=1.5"]) secateur("fit", "builtin:houses?n=400", "-s", "cart/cost-complexity:cv=10,1se", "--leaf-values", values, "--report", `houses-${values}.html`, "-q");
  secateur("fit", "builtin:houses?n=400", "-s", "cart:leaf=median,leaf-values=shrink,leaf-lambda=7", "--report", "houses-median.html", "-q");
  secateur("fit", "builtin:credit?n=400", "-s", "cart:leaf-values=shrink,leaf-lambda=7", "-o", "shrunk.json", "--report", "shrunk.html", "-q");
  browser = await launch();
});
after(() => browser?.close());

/** Rows with missing and unseen values. */
function randomRows(attributes, summary, count, seed) {
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const cell = (attribute, i) => {
    if (random() < 0.2) return "?";
    if (attribute.values) return random() < 0.1 ? "never seen" : attribute.values[Math.floor(random() * attribute.values.length)];
    const [low, , , , high] = summary[i].quartiles;
    return String(low + (high - low) * random());
  };
  return Array.from({ length: count }, () => attributes.map(cell));
}

/** A table in which it matters whether a value is there: tests of sides, of branches of their own, and of known values. */
function tableWithGaps() {
  let seed = 5;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const line = () => {
    const size = random() < 0.3 ? "" : (random() * 10).toFixed(2);
    const shade = random() < 0.3 ? "" : ["red", "green", "blue", "grey"][Math.floor(random() * 4)];
    const note = random() < 0.4 ? "" : (random() * 3).toFixed(1);
    const points = (size === "" ? 1 : Number(size) > 6 ? 1 : 0) + (shade === "blue" || shade === "" ? 1 : 0) + (note === "" ? 1 : 0);
    return [size, shade, note, random() < 0.9 ? ["a", "b", "b", "c"][points] : "c"].join(",");
  };
  return ["size,shade,note,class", ...Array.from({ length: 400 }, line)].join("\n");
}

const facts = (page) => page.locator(".facts").textContent();

for (const [html, full] of [["iris.html", "full.json"], ["credit.html", "credit.json"], ["gaps-cart.html", "gaps-cart.json"], ["gaps-c45.html", "gaps-c45.json"], ["shrunk.html", "shrunk.json"]]) {
  test(`${html}: every stop of every path has the path's leaves, and saves what secateur prune writes`, async () => {
    const { page, problems } = await open(browser, html);
    const paths = await page.locator("#path option").count();
    assert.ok(paths >= 7, `${paths} paths`);
    for (let path = 0; path < paths; path++) {
      await page.selectOption("#path", String(path));
      await page.locator("#size").focus();
      await page.keyboard.press("Home");
      const stops = await page.evaluate(() => window.secateur.app.path.stops.map((s) => ({ member: s.member, leaves: s.leaves })));
      const every = Math.ceil(stops.length / 12);
      for (let i = 0; i < stops.length; i++) {
        if (i > 0) await page.keyboard.press("ArrowRight");
        if (i % every !== 0 && i !== stops.length - 1) continue;
        const { pruner, text, parameter } = await page.evaluate(() => {
          const { path, stop } = window.secateur.app;
          return { pruner: path.pruner(stop.member), text: window.secateur.model(), parameter: path.parameter(stop.member) };
        });
        assert.match(await facts(page), new RegExp(`^${stops[i].leaves.toLocaleString("en")} lea`));
        if (pruner === null) continue;
        secateur("prune", full, "--with", pruner, "-o", "pruned.json", "-q");
        const wanted = readFileSync(join(folder, "pruned.json"), "utf8");
        assert.equal(JSON.parse(wanted).nodes.filter((node) => !node.split).length, stops[i].leaves, `${pruner} ${parameter}`);
        assert.equal(text, wanted, pruner);
      }
    }
    assert.deepEqual(problems, []);
  });
}

test("the button saves the tree in view", async () => {
  const { page } = await open(browser, "iris.html");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.equal(download.suggestedFilename(), "pruned.json");
  const saved = readFileSync(await download.path(), "utf8");
  assert.equal(saved, await page.evaluate(() => window.secateur.model()));
  writeFileSync(join(folder, "saved.json"), saved);
  assert.match(secateur("show", "saved.json"), /3 leaves/);
});

test("a click on the curve goes there, marks go to what selectors choose", async () => {
  const { page } = await open(browser, "iris.html");
  const box = await page.locator(".curve").boundingBox();
  await page.mouse.click(box.x + box.width - 8, box.y + box.height / 2);
  assert.match(await facts(page), /^9 leaves/);
  await page.mouse.click(box.x + (box.width * 52) / 560, box.y + box.height / 2);
  assert.match(await facts(page), /^1 leaf/);
  await page.getByRole("button", { name: /as fitted/ }).click();
  assert.match(await facts(page), /^3 leaves/);
});

test("search finds attributes, classes and rules", async () => {
  const { page } = await open(browser, "iris.html");
  await page.keyboard.press("End");
  await page.locator("#size").focus();
  await page.keyboard.press("End");
  for (const [query, least] of [["petalwidth", 2], ["virginica", 3], ["petallength virginica", 3], ["nothing like it", 0]]) {
    await page.fill("#find", query);
    await page.waitForTimeout(150);
    const found = await page.evaluate(() => window.secateur.app.found.length);
    assert.ok(least === 0 ? found === 0 : found >= least, `${query}: ${found}`);
    assert.match(await page.locator("#found").textContent(), new RegExp(`^${found} match`));
  }
  await page.fill("#find", "virginica");
  await page.waitForTimeout(150);
  await page.locator("#find").press("Enter");
  const label = await page.locator('[role=treeitem][aria-selected=true] .away').textContent();
  assert.match(label, /virginica/);
});

test("filters by support and confidence leave the leaves that pass", async () => {
  const { page } = await open(browser, "credit.html");
  const leaves = () => page.evaluate(() => window.secateur.app.leaves().map((id) => [window.secateur.app.tree.weight[id] / window.secateur.app.tree.weight[0], window.secateur.app.tree.confidence(id)]));
  await page.locator("#size").focus();
  await page.keyboard.press("End");
  const all = await leaves();
  await page.fill("#support", "2");
  await page.fill("#confidence", "80");
  const kept = await leaves();
  assert.deepEqual(kept, all.filter(([support, confidence]) => support >= 0.02 && confidence >= 0.8));
  assert.ok(kept.length > 0 && kept.length < all.length);
  assert.ok((await page.locator(".node.faded").count()) > 0);
  await page.click("#tab-1");
  assert.equal(await page.locator("#panel-1 tbody tr").count(), kept.length);
});

test("nodes are closed, opened and taken into focus", async () => {
  const { page } = await open(browser, "credit.html");
  await page.locator("#size").focus();
  await page.keyboard.press("End");
  const nodes = () => page.locator("[role=treeitem]").count();
  const before = await nodes();
  assert.ok(before > 10 && before <= 80, `${before} nodes at first`);
  await page.locator("#node-0").click();
  const closed = await nodes();
  assert.equal(closed, 1);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#node-0").getAttribute("aria-expanded"), "true");
  await page.click("#as-list");
  assert.ok((await page.locator(".nested li").count()) >= 3);
});

for (const html of ["credit.html", "gaps-cart.html", "gaps-c45.html", "credit-shrink.html", "credit-laplace.html", "credit-m=1.5.html", "houses-shrink=7.html", "houses-m=1.5.html", "houses-median.html"]) test(`${html}: a row gets the answer of secateur predict, with missing and unseen values`, async () => {
  const { page } = await open(browser, html);
  await page.locator("#size").focus();
  for (const size of ["End", "PageDown"]) {
    await page.keyboard.press(size);
    const { attributes, model } = await page.evaluate(() => ({ attributes: window.secateur.app.payload.attributes, model: window.secateur.model() }));
    writeFileSync(join(folder, "model.json"), model);
    const summary = await page.evaluate(() => window.secateur.app.payload.summary.attributes);
    const rows = randomRows(attributes, summary, 200, 7);
    const head = attributes.map((a) => a.name).join(",");
    writeFileSync(join(folder, "rows.csv"), [head, ...rows.map((row) => row.join(","))].join("\n"));
    const lines = secateur("predict", "model.json", "rows.csv", "-q").trim().split("\n").slice(1).map((line) => line.split(","));
    const labels = await page.evaluate(() => window.secateur.app.tree.labels);
    let parts = 0;
    for (let i = 0; i < rows.length; i++) {
      const said = await page.evaluate((text) => window.secateur.predict(text), `${head}\n${rows[i].join(",")}`);
      if (labels.length === 0) assert.deepEqual(said.numbers, [Number(lines[i][1])], `row ${i}`);
      else {
        assert.equal(labels[said.answer], lines[i][1], `row ${i}`);
        assert.deepEqual(said.numbers, lines[i].slice(2).map(Number), `row ${i}`);
      }
      parts += said.leaves.length > 1 ? 1 : 0;
    }
    // Where missing values have a branch, unseen ones alone go several ways.
    assert.ok(parts > (html === "credit.html" ? 20 : 3), `${parts} rows went several ways`);
  }
});

test("what leaves predict stands beside what was counted", async () => {
  const { page } = await open(browser, "credit-shrink.html");
  const details = page.locator(".details");
  assert.match(await details.textContent(), /prediction(good|bad) with \d/);
  assert.deepEqual(await details.locator(".classes thead th").allTextContents(), ["class", "weight", "share", "predicted"]);
  await page.click("#tab-4");
  assert.match(await page.locator("#panel-4").textContent(), /shrunken \(hierarchical shrinkage, λ = /);
  const raw = await open(browser, "credit.html");
  assert.equal(await raw.page.locator(".details .classes thead th").count(), 3);
});

test("controls say what if, with the nearest change", async () => {
  const { page } = await open(browser, "iris.html");
  await page.getByRole("textbox", { name: "petallength" }).fill("5");
  await page.getByRole("textbox", { name: "petalwidth" }).fill("1.7");
  assert.match(await page.locator("#answer").textContent(), /Iris-versicolor/);
  assert.match(await page.locator(".way").textContent(), /0\.05 below/);
  assert.match(await page.locator("#nearest").textContent(), /petalwidth ≥ 1\.75 → Iris-virginica/);
  await page.getByRole("button", { name: "Try it" }).click();
  assert.match(await page.locator("#answer").textContent(), /Iris-virginica/);
});

test("the nearest change is that of secateur explain, on random rows with missing and unseen values", async () => {
  // Only where three attributes are large the answer is yes.
  const grid = Array.from({ length: 125 }, (_, i) => [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)]);
  writeFileSync(join(folder, "all.csv"), ["a,b,c,y", ...grid.map((row) => [...row, row.every((x) => x > 1) ? "yes" : "no"].join(","))].join("\n"));
  secateur("fit", "all.csv", "-s", "cart", "-o", "all.json", "--report", "all.html", "-q");
  let several = 0;
  for (const [html, full] of [["all.html", "all.json"], ["credit.html", "credit.json"], ["numbers.html", "numbers.json"], ["iris.html", "full.json"], ["gaps-cart.html", "gaps-cart.json"], ["gaps-c45.html", "gaps-c45.json"], ["shrunk.html", "shrunk.json"]]) {
    const { page } = await open(browser, html);
    await page.locator("#size").focus();
    await page.keyboard.press("End");
    const { attributes, summary } = await page.evaluate(() => ({ attributes: window.secateur.app.payload.attributes, summary: window.secateur.app.payload.summary.attributes }));
    const rows = randomRows(attributes, summary, 60, 11);
    // The ranges of the training rows, which distances are measured in.
    const ends = (i) => attributes.map((a, j) => (a.values ? "?" : String(summary[j].quartiles[i])));
    const head = attributes.map((a) => a.name).join(",");
    writeFileSync(join(folder, "near.csv"), [head, ...[...rows, ends(0), ends(4)].map((row) => row.join(","))].join("\n"));
    const told = JSON.parse(secateur("explain", full, "near.csv", "--row", `1-${rows.length}`, "--json", "-q"));
    for (let i = 0; i < rows.length; i++) {
      const found = await page.evaluate((text) => window.secateur.nearest(text), `${head}\n${rows[i].join(",")}`);
      const wanted = told.rows[i].nearest_change;
      assert.equal(found === null, wanted === null, `${html}, row ${i}`);
      if (!found) continue;
      const value = ({ attribute, to }) => (attributes[attribute].values ? attributes[attribute].values[to] : to);
      assert.deepEqual(found.changes.map((c) => [attributes[c.attribute].name, value(c)]), wanted.changes.map((c) => [c.attribute, c.to]), `${html}, row ${i}`);
      if (wanted.probabilities.length) assert.deepEqual(found.numbers, wanted.probabilities, `${html}, row ${i}`);
      several += found.changes.length > 1 ? 1 : 0;
    }
  }
  assert.ok(several > 5, `${several} rows need more than one change`);
});

test("runner-up splits, the target's distribution and the validated matrix stand beside the tree", async () => {
  const { page } = await open(browser, "iris.html");
  const lines = await page.locator(".rivals tbody tr").allInnerTexts();
  assert.equal(lines.length, 4);
  assert.match(lines[0], /petallength < 2\.45 \(taken\)\s+0\.333/);
  assert.match(lines[1], /petalwidth < 0\.8\s+0\.333/);
  await page.click("#tab-2");
  const matrix = page.locator(".matrices table").first();
  assert.equal(await matrix.locator("caption").innerText(), "By 10-fold cross-validation");
  const wrong = (await matrix.locator("td.wrong").allInnerTexts()).map(Number).reduce((a, b) => a + b, 0);
  const { error } = await page.evaluate(() => window.secateur.app.stop);
  assert.ok(Math.abs(wrong / 150 - error) < 1e-4, `${wrong} of 150, ${error}`);
  const { page: numbers } = await open(browser, "numbers.html");
  assert.ok((await numbers.locator(".node .histogram").count()) > 10);
  const weights = await numbers.evaluate(() => [...window.secateur.app.distribution.get(0)]);
  assert.equal(weights.reduce((a, b) => a + b, 0), 400);
});

test("everything can be reached with the keyboard alone", async () => {
  const { page } = await open(browser, "iris.html");
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.slice(0, 20));
    reached.add(now);
  }
  for (const wanted of ["tab-0", "find", "support", "path", "size", "save", "node-0"]) assert.ok(reached.has(wanted), `${wanted}: ${[...reached]}`);
  await page.locator("#node-0").focus();
  for (const key of ["ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.ok((await page.evaluate(() => window.secateur.app.focus)) > 0);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => window.secateur.app.focus), 0);
  await page.locator("#tab-0").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#tab-1").getAttribute("aria-selected"), "true");
});

test("every path says what its selectors choose, and changing it keeps the size", async () => {
  const { page } = await open(browser, "credit.html");
  const wanted = { "k-norm": "k = 2", "size-pessimistic": "c = 0.2", "error-based": "cf = 0.25", "min-error": "m = 2" };
  const start = await page.evaluate(() => window.secateur.app.stop.leaves);
  const names = await page.locator("#path option").allInnerTexts();
  for (const name of ["cost-complexity", "k-norm", "best-first (post)", "breadth-first", "size-pessimistic", "error-based", "critical-value", "min-error"]) {
    await page.selectOption("#path", String(names.indexOf(name)));
    const marks = (await page.locator(".marks").innerText()).replaceAll("\n", "; ");
    for (const mark of ["lowest error", "1-SE rule", wanted[name] ?? ""]) assert.ok(marks.includes(mark), `${name}: ${marks}`);
    const away = await page.evaluate((leaves) => {
      const { stops } = window.secateur.app.path;
      const off = (stop) => Math.abs(Math.log(stop.leaves / leaves));
      return off(window.secateur.app.stop) - Math.min(...stops.map(off));
    }, start);
    assert.equal(away, 0, name);
  }
  await page.selectOption("#path", "0");
  assert.equal(await page.evaluate(() => window.secateur.app.stop.leaves), start);
});

test("zoom, a pasted row, copied commands and the list work", async () => {
  const { page } = await open(browser, "credit.html", { permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });
  await page.locator("#size").focus();
  await page.keyboard.press("End");
  const width = () => page.locator(".stage").evaluate((stage) => stage.clientWidth);
  const before = await width();
  await page.getByRole("button", { name: "Larger" }).click();
  assert.ok(Math.abs((await width()) / before - 1.25) < 0.02);
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  assert.ok((await width()) <= (await page.locator(".frame").evaluate((frame) => frame.clientWidth)));
  // Edges are the wider the more rows they carry.
  const widths = await page.evaluate(() => {
    const { tree } = window.secateur.app;
    const items = [...document.querySelectorAll("[role=treeitem]")].map((item) => Number(item.dataset.node)).slice(1);
    const edges = [...document.querySelectorAll(".edges path")].map((edge) => Number(edge.getAttribute("stroke-width")));
    return items.map((id, i) => [tree.weight[id] / tree.weight[0], edges[i]]);
  });
  for (const [share, edge] of widths) assert.ok(Math.abs(edge - Math.max(1, 14 * share)) < 0.1, `${share} ${edge}`);
  await page.getByRole("button", { name: "Copy command" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await page.locator(".command").innerText());
  await page.getByText("Paste a row").click();
  const attributes = await page.evaluate(() => window.secateur.app.payload.attributes);
  await page.fill("#paste", attributes.map((a) => (a.values ? a.values[0] : "12")).join("\t"));
  assert.ok((await page.locator(".way li").count()) > 1);
  await page.fill("#paste", "1,2");
  assert.match(await page.locator(".problem").innerText(), /2 values for \d+ attributes/);
  await page.click("#as-list");
  const fold = page.locator(".nested .fold").first();
  const items = await page.locator(".nested li").count();
  await fold.focus();
  await page.keyboard.press("Enter");
  assert.ok((await page.locator(".nested li").count()) < items);
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((e) => getComputedStyle(e).transitionDuration !== "0s" || getComputedStyle(e).animationName !== "none").length);
  assert.equal(moving, 0);
});

test("paper shows what fits: no controls, the whole drawing or a list, and no row that nobody gave", async () => {
  const { page } = await open(browser, "credit.html");
  await page.emulateMedia({ media: "print" });
  await page.locator("#size").evaluate((size) => size.dispatchEvent(new KeyboardEvent("keydown", { key: "End" })));
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.locator(".nested").isVisible());
  assert.ok(!(await page.locator(".frame").isVisible()) && !(await page.locator("#size").isVisible()));
  assert.equal(await page.getByRole("heading", { name: "What if" }).isVisible(), false);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  assert.ok(await page.locator(".frame").isVisible());
});

test("ten thousand leaves are a file below 5 MB and a few thousand elements", async () => {
  let seed = 5;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const rows = Array.from({ length: 30_000 }, () => [random().toFixed(5), random().toFixed(5), random().toFixed(5), "xyz"[Math.floor(random() * 3)]].join(","));
  writeFileSync(join(folder, "noise.csv"), ["a,b,c,class", ...rows].join("\n"));
  secateur("fit", "noise.csv", "-s", "cart", "--report", "noise.html", "--report-folds", "0", "-q");
  assert.ok(statSync(join(folder, "noise.html")).size < 5_000_000);
  const { page, problems } = await open(browser, "noise.html");
  const leaves = await page.evaluate(() => window.secateur.app.stop.leaves);
  assert.ok(leaves > 10_000, `${leaves} leaves`);
  await page.fill("#find", "c ≥ 0.9 x");
  await page.waitForFunction(() => window.secateur.app.found.length > 100);
  for (const tab of [1, 2, 0]) await page.click(`#tab-${tab}`);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 8000, `${elements} elements`);
  assert.match(await page.locator(".size").innerText(), /training errors only.*--report-folds 10/s);
  assert.deepEqual(problems, []);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in any view, ${colorScheme}`, async () => {
    const { page } = await open(browser, "credit.html", { colorScheme, bypassCSP: true });
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(background, colorScheme === "dark" ? "rgb(21, 24, 29)" : "rgb(255, 255, 255)");
    await page.addScriptTag({ path: new URL("../node_modules/axe-core/axe.min.js", import.meta.url).pathname });
    for (let tab = 0; tab < 5; tab++) {
      await page.click(`#tab-${tab}`);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`), [], `tab ${tab}`);
    }
  });
}

test("hostile names are text and run nothing", async () => {
  const names = ["<script>alert(1)</script>", "a\"b'c`${x}&amp;", "📈 emoji", "שלום‮evil", "x".repeat(300), "</title><img src=x onerror=alert(2)>"];
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: 60 }, (_, i) => [...names.map((_, j) => ((i * (j + 3)) % 17) + (i % 3 === 0 ? 20 : 0)), i % 3 === 0 ? "<b>bold</b><script>alert(3)</script>" : i % 3 === 1 ? "--><!--" : "javascript:alert(4)"]);
  const table = [[...names, "<class>"].map(quoted).join(","), ...rows.map((row) => row.map((cell) => quoted(String(cell))).join(","))].join("\n");
  writeFileSync(join(folder, "host <img src=x onerror=alert(5)>.csv"), table);
  secateur("fit", "host <img src=x onerror=alert(5)>.csv", "-s", "cart", "--report", "hostile.html", "-q");
  const { page, problems } = await open(browser, "hostile.html");
  for (let tab = 4; tab >= 0; tab--) await page.click(`#tab-${tab}`);
  await page.waitForTimeout(200);
  assert.deepEqual(problems, []);
  assert.equal(await page.locator("img, b, main script").count(), 0);
  const text = await page.locator("body").innerText();
  assert.ok(text.includes("<script>alert(1)</script>") || text.includes("📈 emoji"));
  assert.match(await page.locator("h1").innerText(), /<img src=x onerror=alert\(5\)>/);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(widths[0] <= widths[1], `${widths}`);
});

test("nothing is asked of the network, and the page's policy would refuse it", async () => {
  const { page, problems } = await open(browser, "iris.html");
  const refused = await page.evaluate(() => fetch("http://127.0.0.1:9/x").then(() => "allowed", () => "refused"));
  assert.equal(refused, "refused");
  assert.ok(problems.some((p) => p.includes("Content Security Policy")), problems.join("\n"));
  const policy = await page.locator("meta[http-equiv]").getAttribute("content");
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'/);
});

test("no view scrolls sideways on a phone, and the tree is a list there", async () => {
  const { page } = await open(browser, "credit.html", { viewport: { width: 400, height: 800 } });
  for (let tab = 0; tab < 5; tab++) {
    await page.click(`#tab-${tab}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, `tab ${tab}`);
  }
  await page.click("#tab-0");
  assert.ok(await page.locator(".nested").isVisible());
});

test("a link shows the same again", async () => {
  const { page } = await open(browser, "iris.html");
  await page.locator("#size").focus();
  await page.keyboard.press("End");
  await page.getByRole("textbox", { name: "petalwidth" }).fill("1.7");
  await page.waitForTimeout(500);
  const { page: again } = await open(browser, `iris.html${new URL(page.url()).hash}`);
  assert.match(await facts(again), /^9 leaves/);
  assert.equal(await again.getByRole("textbox", { name: "petalwidth" }).inputValue(), "1.7");
});

test("a saved model alone has a page, which says what needs the data", async () => {
  secateur("show", "credit.json", "--format", "html", "-o", "shown.html", "-q");
  const { page, problems } = await open(browser, "shown.html");
  assert.match(await page.locator(".details").innerText(), /Runner-up splits need the data/);
  await page.click("#tab-3");
  assert.match(await page.locator("#panel-3").innerText(), /needs the data/);
  assert.match(await page.locator(".command").textContent(), /secateur|no command/);
  assert.deepEqual(problems, []);
});

test("numbers are explored too", async () => {
  const { page, problems } = await open(browser, "numbers.html");
  const { pruner, text } = await page.evaluate(() => ({ pruner: window.secateur.app.path.pruner(window.secateur.app.stop.member), text: window.secateur.model() }));
  secateur("prune", "numbers.json", "--with", pruner, "-o", "pruned.json", "-q");
  assert.equal(text, readFileSync(join(folder, "pruned.json"), "utf8"));
  for (let tab = 0; tab < 5; tab++) await page.click(`#tab-${tab}`);
  assert.deepEqual(problems, []);
});

test("feature importance is that of the program, for every tree in view", async () => {
  for (const [html, full] of [["iris.html", "full.json"], ["credit.html", "credit.json"], ["numbers.html", "numbers.json"], ["gaps-c45.html", "gaps-c45.json"]]) {
    const { page } = await open(browser, html);
    const region = page.getByRole("region", { name: "Use of attributes" });
    for (const key of ["End", "Home", "ArrowRight", "ArrowRight"]) {
      await page.getByRole("tab", { name: "Tree" }).click();
      await page.locator("#size").focus();
      await page.keyboard.press(key);
      await page.getByRole("tab", { name: "Leaves" }).click();
      writeFileSync(join(folder, "view.json"), await page.evaluate(() => window.secateur.model()));
      const { importance } = JSON.parse(secateur("show", "view.json", "--json"));
      assert.match(await region.locator("thead").textContent(), /feature importance \(share of the total gain\)/);
      const shown = await region.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, row.cells[3].textContent]));
      const asked = importance.map(({ attribute, share }) => [attribute, share]);
      assert.deepEqual(shown.map(([name]) => name).sort(), asked.map(([name]) => name).sort(), `${full} ${key}`);
      const line = secateur("show", "view.json").replace(/\s+/g, " ").match(/importance (.*?\(share of the total gain\))/)?.[1] ?? "";
      for (const [name, text] of shown) {
        const { share } = importance.find(({ attribute }) => attribute === name);
        assert.ok(Math.abs(Number.parseFloat(text.replace("<", "")) / 100 - share) <= 0.0005 + 1e-12, `${name}: ${text} and ${share}`);
        if (importance.findIndex(({ attribute }) => attribute === name) < 6) assert.ok(line.includes(`${name} ${text}`), `${name} ${text} in ${line}`);
      }
    }
    await page.context().close();
  }
});

test("branches of one split never look alike, and classes are whole", async () => {
  const same = "the number of months since the account was opened";
  const values = ["at this bank", "at another bank, abroad", "at another bank, here"].map((end) => `${same} ${end}`);
  const classes = ["in full and on time", "in full but late"].map((end) => `the customer is expected to repay the credit ${end}`);
  const lines = Array.from({ length: 240 }, (_, i) => `"${values[i % 3]}",${i % 7},"${classes[i % 3 === 1 || i % 7 === 2 ? 1 : 0]}"`);
  writeFileSync(join(folder, "long.csv"), ["kind,size,class", ...lines].join("\n"));
  for (const learner of ["cart", "c45"]) {
    secateur("fit", "long.csv", "-s", learner, "--report", `long-${learner}.html`, "-q");
    const { page, problems } = await open(browser, `long-${learner}.html`);
    const nodes = await page.locator(".node").evaluateAll((all) => all.map((node) => {
      const title = node.querySelector(".title");
      return { id: Number(node.dataset.node), edge: node.querySelector(".edge").textContent, title: title.textContent, fits: title.scrollWidth <= title.clientWidth + 1, leaf: node.classList.contains("leaf") };
    }));
    const parents = await page.evaluate(() => Array.from(window.secateur.app.tree.parent));
    const seen = new Set();
    for (const { id, edge, title, fits, leaf } of nodes) {
      const key = `${parents[id]}: ${edge}`;
      assert.ok(!seen.has(key), key);
      seen.add(key);
      if (leaf) assert.ok(fits && classes.includes(title), title);
    }
    assert.ok(nodes.length >= 5, `${nodes.length} nodes`);
    assert.deepEqual(problems, []);
    await page.context().close();
  }
});
