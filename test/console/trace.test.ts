// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createObserver } from '#sdk/src/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { API_KEY, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { recordManySpans } from '../support/recorded-spans.ts';
import { recordTrace } from '../support/recorded-trace.ts';

const SPANS = 30_000;

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const grid = () => page.getByRole('treegrid', { name: 'Records' });
const row = (name: string) => grid().getByRole('row').filter({ hasText: name });
const details = () => page.getByRole('complementary', { name: 'Details of the record' });
const searchField = () => page.getByRole('searchbox', { name: 'Search records' });
/** Returns the name of the row with the keyboard focus. */
const activeName = () => grid().locator('.active').getByRole('rowheader').textContent();
const nextError = () => page.getByRole('button', { name: /^Next error/ });
const open = (path: string) => page.goto(`${service.urls.public}${path}`);

/** Returns the level and name of each visible row. */
const outline = () =>
  grid()
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((one) => {
        const name = one.querySelector('[role=rowheader] .clipped bdi')?.textContent;
        return `${one.ariaLevel} ${name}`;
      }),
    );

describe(`a run of ${SPANS} spans`, () => {
  let path: string;
  beforeAll(async () => {
    path = `/runs/${await recordManySpans(service.byKey, SPANS, Date.now())}`;
  });
  beforeEach(async () => {
    await open(path);
    await page.getByText('30,001 records').waitFor();
  });

  test('renders few elements at any scroll position', async () => {
    const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
    await row('span 2').first().waitFor();
    expect(await elements()).toBeLessThan(3000);
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('30002');
    await grid().evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    await row('group 149').or(row('span 15000')).or(row('group 150')).first().waitFor();
    expect(await elements()).toBeLessThan(3000);
    await grid().focus();
    await page.keyboard.press('End');
    await row('span 29999').waitFor();
    expect(await elements()).toBeLessThan(3000);
    await expect.poll(() => row('span 29999').getAttribute('aria-setsize')).toBe('99');
  });

  test('is searched, also in collapsed groups', async () => {
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await row('group 1').first().waitFor();
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('302');
    await page.keyboard.press('/');
    await page.keyboard.type('span 2999');
    await page.getByText('1 of 11').waitFor();
    await expect.poll(activeName).toContain('span 2999');
    await expect.poll(() => grid().locator('.active mark').textContent()).toBe('span 2999');
    await searchField().press('Enter');
    await page.getByText('2 of 11').waitFor();
    await expect.poll(activeName).toContain('span 29990');
    await searchField().press('Shift+Enter');
    await page.getByText('1 of 11').waitFor();
    await expect.poll(activeName).toContain('span 2999');
  });

  test('allows moving from error to error, and shows only errors with their ancestors', async () => {
    await nextError().click();
    await row('span 99').locator('.badge').waitFor();
    await expect.poll(activeName).toContain('span 99');
    await grid().focus();
    await page.keyboard.press('n');
    await row('span 1099').waitFor();
    await expect.poll(activeName).toContain('span 1099');
    await page.keyboard.press('Shift+N');
    await row('span 99').first().waitFor();
    await page.getByLabel('Errors only').check();
    await page.waitForURL(/errors=only/);
    await grid().focus();
    await page.keyboard.press('Home');
    await row('group 10').first().waitFor();
    await row('bulk').waitFor();
    await expect
      .poll(async () => (await outline()).slice(0, 5))
      .toEqual(['1 bulk', '2 group 0', '3 span 99', '2 group 10', '3 span 1099']);
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('62');
  });

  test('shows only the selected kinds', async () => {
    await page.getByLabel('Kinds: All kinds').click();
    await page.getByLabel('Spans', { exact: true }).check();
    await page.waitForURL(/kind=span/);
    await expect
      .poll(async () => (await outline()).slice(0, 3))
      .toEqual(['1 bulk', '2 group 0', '2 group 1']);
  });

  test('shows a text for records without times instead of a bar', async () => {
    // The last record of its group, because it has no time to sort by.
    await nextError().click();
    const untimed = grid()
      .getByRole('row', { name: /span 1 / })
      .first();
    await untimed.getByText('no times recorded').waitFor();
    expect(await untimed.locator('.time-bar, .time-moment').count()).toBe(0);
    await expect.poll(() => row('span 99').first().locator('.time-bar').count()).toBe(1);
    await page.getByText('300 without a start').waitFor();
  });
});

describe('agents that call agents', () => {
  let path: string;
  beforeAll(async () => {
    path = `/runs/${await recordTrace(service.byKey, Date.now())}`;
  });
  beforeEach(async () => {
    await open(path);
    await row('trace-planner').waitFor();
  });

  test('child runs are below the record that started them, and verdicts in the run that they concern', async () => {
    await expect
      .poll(async () => (await outline()).slice(0, 5))
      .toEqual([
        '1 trace-planner',
        '2 plan',
        '3 gpt-4o',
        '2 delegate research',
        '3 read the price list',
      ]);
    await expect
      .poll(async () => (await outline()).filter((one) => one === '3 trace-researcher'))
      .toHaveLength(3);
    await expect.poll(outline).toContain('4 Models of writers');
    await expect
      .poll(() => row("Model 'gpt-4o-mini' is blocked").first().textContent())
      .toContain('block');
    await expect.poll(() => row('gpt-4o').first().locator('.first-token').count()).toBe(1);
  });

  test('the keyboard moves, collapses, opens and closes; the URL contains the open record', async () => {
    await grid().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(activeName).toContain('gpt-4o');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => row('plan').nth(1).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/span=llm_call-\d+/);
    await details().getByText('Compare the three vendors').waitFor();
    await details().getByText('after 600 ms').waitFor();
    const first = page.url();
    await page.reload();
    await details().getByText('Compare the three vendors').waitFor();
    await grid().focus();
    await page.keyboard.press('ArrowDown');
    await details().getByRole('heading', { name: 'delegate research' }).waitFor();
    await row('look up support terms').click();
    await details().getByText('HTTP 503 from terms.example').waitFor();
    await page.goBack();
    await details().getByRole('heading', { name: 'delegate research' }).waitFor();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    expect(page.url()).not.toBe(first);
  });

  test('details of a verdict and of a child run match what was recorded', async () => {
    await row("Model 'gpt-4o-mini' is blocked").first().click();
    await details().getByText("Model 'gpt-4o-mini' is blocked").first().waitFor();
    await details().getByText('During run').first().waitFor();
    await row('trace-researcher').nth(1).click();
    await details().getByText('The source is not reachable.').waitFor();
    await open(`${path}?span=span-999999`);
    await details().getByText('There is no such record in this trace.').waitFor();
  });

  test('a drag over the ruler zooms to a part of the time, and a key shows all of it', async () => {
    const ruler = grid().locator('.time-ruler');
    const width = async () =>
      (await row('plan').nth(1).locator('.time-bar').boundingBox())?.width ?? 0;
    const box = await ruler.boundingBox();
    if (!box) throw new Error('the ruler has no bounding box');
    const before = await width();
    await page.mouse.move(box.x, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/zoom=0-\d+/);
    await expect.poll(width).toBeGreaterThan(2 * before);
    await grid().getByText('after the time that is shown').first().waitFor();
    await page.reload();
    await page.getByTitle('Show all of the time (0)').waitFor();
    await grid().focus();
    await page.keyboard.press('0');
    await page.waitForURL((url) => !url.searchParams.has('zoom'));
    await expect.poll(width).toBeLessThan(before + 1);
    await page.keyboard.press('+');
    await page.waitForURL(/zoom=/);
    const zoomed = page.url();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL((url) => url.searchParams.has('zoom') && url.href !== zoomed);
    await page.getByTitle('Show all of the time (0)').click();
    await page.waitForURL((url) => !url.searchParams.has('zoom'));
  });

  test('the texts of records are searched, not only their names', async () => {
    await searchField().fill('terms.example');
    await searchField().press('Enter');
    await row('look up support terms').getByText('in its texts').waitFor();
    await page.getByText(/^1 (of 1|match)$/).waitFor();
    await searchField().press('Enter');
    await expect.poll(activeName).toContain('look up support terms');
    await searchField().fill('nowhere at all');
    await page.getByText('No match').waitFor();
    await page.getByRole('button', { name: 'Previous error' }).click();
    await expect.poll(() => grid().locator('.active').locator('.badge').count()).toBeGreaterThan(0);
  });

  test('a graph shows which agent calls which, and links to the records of an agent', async () => {
    await page.getByRole('radio', { name: 'Agents' }).check();
    await page.waitForURL(/view=agents/);
    const agents = page.getByRole('table', { name: 'Agents of this trace' });
    await agents.getByText('trace-researcher 3×, trace-writer 1×').waitFor();
    const graph = page.getByRole('group', { name: 'Graph of agents' });
    await graph.getByRole('button', { name: /trace-researcher/ }).click();
    await page.waitForURL(/agent=trace-researcher/);
    await row('claude-sonnet-4-5').first().waitFor();
    expect(await row('trace-writer').count()).toBe(0);
  });

  test('in a narrow window the details cover the tree until they are closed', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await row('gpt-4o').first().click();
    await details().getByText('Compare the three vendors').waitFor();
    expect((await details().boundingBox())?.width).toBe(390);
    await page.getByRole('button', { name: 'Close details' }).click();
    await details().waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

test('records nested with the SDK are nested in the trace', async () => {
  const observer = createObserver({ apiKey: API_KEY, baseUrl: service.urls.public }, {});
  const run = observer.startRun({ agentName: 'sdk-outer' });
  await run.within(() =>
    observer.span('plan', async (planning) => {
      observer.recordTool({ name: 'search', durationMs: 12 });
      planning.set({ output: 'done' });
    }),
  );
  run.complete();
  await observer.flush();
  await open(`/runs/${run.id}`);
  await row('search').waitFor();
  await expect.poll(outline).toEqual(['1 sdk-outer', '2 plan', '3 search']);
  await observer.shutdown();
});
