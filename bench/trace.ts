/**
 * Measures the trace of a run with 30,000 spans in Chromium: API, first paint, elements and
 * scrolling.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '#test/support/chromium.ts';
import { buildConsole } from '#test/support/build-console.ts';
import { signIn } from '#test/support/console.ts';
import { recordManySpans } from '#test/support/recorded-spans.ts';
import { byKey, ownerHeaders, OWNER, startControlPlane, type Server } from './support/processes.ts';
import { percentile } from './support/load.ts';
import { writeSection } from './support/report.ts';

const SPANS = 30_000;
const ROUNDS = 7;

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
await buildConsole();
const server = await startControlPlane({ DATA_DIR: dir });
const browser = await launchChromium();
const run = await recordManySpans(byKey(server), SPANS, Date.now());
const api = await readTrace(server);
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(`http://127.0.0.1:${server.port}`);
await signIn(page, OWNER);
await page.getByRole('navigation', { name: 'Main' }).waitFor();
const opened = [];
for (let round = 0; round < ROUNDS; round += 1) opened.push(await openTrace(page));
const elements = await page.evaluate(() => document.querySelectorAll('*').length);
const frames = await scrollThrough(page);
await browser.close();
await server.stop();
rmSync(dir, { recursive: true, force: true });

const median = (values: readonly number[]): string =>
  percentile(
    values.toSorted((a, b) => a - b),
    50,
  ).toFixed(0);
const late = frames.filter((ms) => ms > 1000 / 60 + 4).length;
const rows = [
  ['all pages of the API', `${api.ms.toFixed(0)} ms, ${(api.bytes / 1e6).toFixed(1)} MB`, ''],
  [
    'from navigation to the first rows, median',
    `${median(opened.map(({ first }) => first))} ms`,
    '≤ 1000 ms',
  ],
  ['from navigation to all records, median', `${median(opened.map(({ all }) => all))} ms`, ''],
  ['elements in the page', String(elements), '< 3000'],
  ['frame while scrolling, median', `${median(frames)} ms`, '≤ 16.7 ms'],
  ['late frames while scrolling', `${late} of ${frames.length}`, ''],
];
for (const row of rows) console.log(row.join('  '));
writeSection('trace', ['what', 'measured', 'goal'], rows);

async function readTrace(of: Server) {
  const headers = await ownerHeaders(of);
  const began = performance.now();
  let bytes = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const url: string = `http://127.0.0.1:${of.port}/api/v1/observability/runs/${run}/trace/?limit=5000`;
    const answer: Response = await fetch(url + (cursor && `&cursor=${cursor}`), { headers });
    const text: string = await answer.text();
    bytes += text.length;
    cursor = (JSON.parse(text) as { next_cursor: string | null }).next_cursor;
  }
  return { ms: performance.now() - began, bytes };
}

/** Opens the trace. Returns milliseconds since navigation, by the page's clock. */
async function openTrace(of: Page) {
  await of.goto(`http://127.0.0.1:${server.port}/runs/${run}`);
  const since = (condition: () => number | false): Promise<number> =>
    of
      .waitForFunction(condition, undefined, { polling: 'raf' })
      .then((handle) => handle.jsonValue() as Promise<number>);
  const first = await since(
    () => document.querySelectorAll('.trace-row').length > 10 && performance.now(),
  );
  const all = await since(
    () => document.body.innerText.includes('30,001 records') && performance.now(),
  );
  return { first, all };
}

/** The milliseconds between frames while the tree scrolls by one page of rows per frame. */
function scrollThrough(of: Page): Promise<number[]> {
  return of.evaluate(async () => {
    const grid = document.querySelector('.trace-grid');
    if (!grid) throw new Error('the page shows no trace');
    const between: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 300; frame += 1) {
      grid.scrollTop += 500;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      between.push(now - last);
      last = now;
    }
    return between;
  });
}
