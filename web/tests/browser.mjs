// A real browser, the program, and pages made with it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const program = process.env.SECATEUR_PROGRAM ?? new URL("../../target/debug/secateur", import.meta.url).pathname;
export const folder = mkdtempSync(join(tmpdir(), "secateur-page-"));
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Runs the program in the folder of the test. */
export function secateur(...words) {
  return execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

export function launch() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, headless: true, args });
}

/** Opens a page from disk; what goes wrong in it, and every request but that for the file, is kept. */
export async function open(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith("file:") || request.url().startsWith("blob:") || problems.push(request.url()));
  page.on("dialog", (dialog) => problems.push(dialog.message()));
  await page.goto(`file://${join(folder, name)}`);
  await page.waitForSelector("h1");
  await page.waitForTimeout(100);
  return { page, problems };
}
