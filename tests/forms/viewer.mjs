// Types into a form in Chromium and says what then stands in it.
//   node viewer.mjs MODULES CHROMIUM FORM JOB
// JOB is JSON: {"viewer": "pdfjs" or "chrome", "type": [["field", "text" or true], …], "read": […],
// "saved": FILE, "picture": FILE}. In Chrome's own viewer "type" gives clicks, keys and texts:
// [["click", [x, y]], ["press", "Tab"], ["text", "5"]].
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [modules, chromium, form, job] = process.argv.slice(2);
const { viewer, type, read, saved, picture } = JSON.parse(job);
const here = dirname(fileURLToPath(import.meta.url));
const kinds = {
  ".css": "text/css", ".html": "text/html", ".mjs": "text/javascript", ".pdf": "application/pdf",
  ".wasm": "application/wasm",
};
const server = createServer((request, answer) => {
  const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
  const file = path === "/form.pdf" ? form
    : path === "/viewer.html" ? join(here, "viewer.html")
    : path.startsWith("/modules/") ? join(modules, path.slice("/modules/".length)) : "";
  if (!file || !existsSync(file)) {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(answer);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const site = `http://127.0.0.1:${server.address().port}`;

const playwright = await import(pathToFileURL(`${modules}/playwright-core/index.mjs`));
const browser = await playwright.chromium.launch({
  executablePath: chromium,
  headless: true,
  args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 1300, height: 1000 } });
const found = {};
try {
  if (viewer === "pdfjs") {
    await page.goto(`${site}/viewer.html`);
    await page.waitForFunction(() => globalThis.rendered && globalThis.scripted, null, { timeout: 30000 });
    for (const [name, value] of type) {
      const box = page.locator(`[name="${name}"]`);
      if (value === true) await box.check();
      else {
        await box.click();
        await page.keyboard.type(value);
        await page.keyboard.press("Tab");
      }
    }
    await page.waitForTimeout(1500);
    for (const name of read) found[name] = await page.locator(`[name="${name}"]`).inputValue();
    found.focus = await page.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
    if (saved) writeFileSync(saved, Uint8Array.from(await page.evaluate(() => globalThis.save())));
  } else {
    await page.goto(`${site}/form.pdf#toolbar=0&navpanes=0&zoom=100`);
    await page.waitForTimeout(2500);
    for (const [key, value] of type) {
      if (key === "click") await page.mouse.click(...value);
      else if (key === "press") await page.keyboard.press(value);
      else await page.keyboard.type(value);
      await page.waitForTimeout(50);
    }
    await page.waitForTimeout(1000);
  }
  if (picture) await page.screenshot({ path: picture });
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
  server.close();
}
