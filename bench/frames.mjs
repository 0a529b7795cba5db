// Frames in a real browser, as a JSON list:
//
//   node bench/frames.mjs rectangles            cost of a frame: our lanes, and ECharts with an element a rectangle
//   node bench/frames.mjs page URL WIDTH HEIGHT  frames while a page with lanes is panned and zoomed
//
// CHROMIUM names the browser, as for the tests in `e2e/`.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "..");
const { chromium } = createRequire(path.join(repository, "e2e/package.json"))(
  "@playwright/test",
);

const COUNTS = [5_000, 20_000];
const FRAMES = 60;
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

const quantile = (values, q) => {
  const sorted = values.toSorted((one, other) => one - other);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0
  );
};

/** In turns, so that what else the machine does falls on both. */
async function rectangles(browser) {
  const built = mkdtempSync(path.join(tmpdir(), "jitterscope-frames-"));
  try {
    const build = [
      "vite",
      "build",
      "bench",
      "--outDir",
      built,
      "--emptyOutDir",
      "--logLevel",
      "error",
    ];
    execFileSync("npx", build, {
      cwd: path.join(repository, "frontend"),
      stdio: ["ignore", "ignore", "inherit"],
    });
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
    });
    await page.route("http://frames.invalid/**", (route) => {
      const { pathname } = new URL(route.request().url());
      const file = pathname === "/" ? "/index.html" : pathname;
      return route.fulfill({
        body: readFileSync(path.join(built, file)),
        contentType: TYPES[path.extname(file)],
      });
    });
    await page.goto("http://frames.invalid/");
    await page.waitForFunction(() => "measure" in window);
    const results = [];
    for (const count of COUNTS) {
      const spent = { lanes: [], elements: [] };
      for (let turn = 0; turn < 3; turn += 1) {
        for (const how of ["lanes", "elements"]) {
          spent[how].push(
            ...(await page.evaluate(
              ([...of]) => window.measure(...of),
              [how, count, FRAMES / 3],
            )),
          );
        }
      }
      const [lanes, elements] = [
        quantile(spent.lanes, 0.5),
        quantile(spent.elements, 0.5),
      ];
      results.push({
        count,
        lanes_ms: lanes,
        elements_ms: elements,
        ratio: lanes / elements,
      });
    }
    return results;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** A drag to and fro, and a zoom in and out, a step a frame. */
async function page(browser, url, width, height) {
  const shown = await browser.newPage({ viewport: { width, height } });
  await shown.goto(url);
  const lanes = await shown.waitForSelector("[data-rendered]");
  const box = await lanes.boundingBox();
  const [x, y] = [box.x + box.width * 0.6, box.y + box.height * 0.5];
  await shown.waitForTimeout(1_000);
  const client = await shown.context().newCDPSession(shown);
  await client
    .send("Performance.setTimeDomain", { timeDomain: "threadTicks" })
    .catch(() => undefined);
  await client.send("Performance.enable");
  const cpuSeconds = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  await shown.evaluate(() => {
    window.frames_ms = [];
    window.long_ms = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_ms.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    new PerformanceObserver((list) =>
      window.long_ms.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
  });
  const frame = () => shown.evaluate(() => new Promise(requestAnimationFrame));
  const before = await cpuSeconds();
  await shown.keyboard.down("Control");
  for (let step = 0; step < 60; step += 1) {
    await shown.mouse.move(x, y);
    await shown.mouse.wheel(0, step < 40 ? -60 : 60);
    await frame();
  }
  await shown.keyboard.up("Control");
  await shown.mouse.down();
  for (let step = 0; step < 120; step += 1) {
    await shown.mouse.move(x + Math.sin(step / 10) * 200, y);
    await frame();
  }
  await shown.mouse.up();
  const spent = (await cpuSeconds()) - before;
  const { frames, long } = await shown.evaluate(() => ({
    frames: window.frames_ms,
    long: window.long_ms,
  }));
  const row = {
    frames: frames.length,
    frame_p50_ms: quantile(frames, 0.5),
    frame_p95_ms: quantile(frames, 0.95),
    cpu_ms_a_frame: (spent * 1000) / frames.length,
    long_tasks: long.length,
    longest_task_ms: Math.max(0, ...long),
  };
  return [row];
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
const [what, url, width = "1280", height = "800"] = process.argv.slice(2);
const measured =
  what === "page"
    ? await page(browser, url, Number(width), Number(height))
    : await rectangles(browser);
await browser.close();
console.log(JSON.stringify(measured));
