// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const costs = [0.5, 2, 1];
  for (const [at, cost] of costs.entries()) {
    const { recording } = service.byKey;
    service.setTime(T0 + at * 3_600_000);
    const { run_id } = await recording.startRun({
      body: {
        agent_name: at === 2 ? 'research' : 'support',
        user_id: `user-${at + 1}`,
        inputs: { question: `question ${at + 1}` },
      },
    });
    const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1, cost };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const body = { status: at === 1 ? ('error' as const) : ('success' as const) };
    await recording.completeRun({ params: { run_id }, body });
  }
  service.setTime(undefined);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/runs`);
  await shows('3', '2', '1');
});

afterEach(() => page.close());

const rows = () => page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
const panel = (id: string) => page.getByRole('region', { name: `Run ${id}` });
const query = () => new URL(page.url()).searchParams;

/** Expects these runs, in this order. */
async function shows(...ids: string[]): Promise<void> {
  await expect.poll(() => rows().getByRole('rowheader').allTextContents()).toEqual(ids);
}

test('a header sorts in both directions, and Back reverts it', async () => {
  const header = page.getByRole('columnheader', { name: 'Cost' });
  await header.getByRole('button').click();
  await shows('2', '3', '1');
  await expect
    .poll(async () => [query().get('sort'), await header.getAttribute('aria-sort')])
    .toEqual(['-cost', 'descending']);
  await header.getByRole('button').click();
  await shows('1', '3', '2');
  await page.goBack();
  await shows('2', '3', '1');
  await page.goBack();
  await shows('3', '2', '1');
});

test('a filter is in the URL and the totals, and Back undoes it', async () => {
  await page.getByLabel('Status').selectOption('error');
  await shows('2');
  expect(query().get('status')).toBe('error');
  await page.getByText('1 run · $2.00 · 2 tokens · 1 run failed').waitFor();
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('group', { name: 'More filters' }).getByLabel('End user').fill('user-2');
  await page.keyboard.press('Enter');
  await expect.poll(() => query().get('user')).toBe('user-2');
  await shows('2');
  await page.goBack();
  await expect.poll(() => query().get('user')).toBe(null);
  await page.goBack();
  await shows('3', '2', '1');
});

test('a row opens a side panel with a URL of its own', async () => {
  await rows().nth(1).getByText('support').click();
  await panel('2').getByText('question 2').waitFor();
  expect(query().get('open')).toBe('2');
  await page.reload();
  await panel('2').getByText('question 2').waitFor();
  await page.keyboard.press('Escape');
  await panel('2').waitFor({ state: 'detached' });
  expect(query().get('open')).toBe(null);
  await page.goBack();
  await panel('2').waitFor();
  await panel('2').getByRole('link', { name: 'Open page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Run 2' }).waitFor();
});

test('j and k move, Enter opens, and the open panel follows', async () => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'));
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('3');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect.poll(focused).toBe('2');
  await page.keyboard.press('Enter');
  await panel('2').waitFor();
  await page.keyboard.press('j');
  await panel('1').getByText('question 1').waitFor();
  expect(query().get('open')).toBe('1');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('1');
});

test('keys typed into a field do not move between rows', async () => {
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('');
  await page.keyboard.type('jk');
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('input');
});

test('columns and density are chosen, and kept after a reload', async () => {
  const headers = () => page.getByRole('columnheader').allTextContents();
  const height = async () => (await rows().first().boundingBox())?.height ?? 0;
  await expect.poll(headers).toContain('Tokens');
  const before = await height();
  await page.getByLabel('Columns and density').click();
  await page.getByRole('checkbox', { name: 'Tokens' }).uncheck();
  await page.getByLabel('End user', { exact: true }).check();
  await page.getByLabel('Compact').check();
  await page.reload();
  await shows('3', '2', '1');
  await expect.poll(headers).toContain('End user');
  expect(await headers()).not.toContain('Tokens');
  expect(await height()).toBeLessThan(before);
});

test('an export contains exactly the rows of the filter, in their order', async () => {
  await page.goto(`${service.urls.public}/runs?agent=support&sort=cost`);
  await shows('1', '2');
  const text = async (name: string): Promise<string> => {
    await page.getByLabel('Export', { exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  const ids = (await text('JSON Lines'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids).toEqual([1, 2]);
  const [header, ...lines] = (await text('CSV')).split('\r\n');
  expect(header).toContain('"agent_name"');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['1', '2', '']);
});

test('a view is saved, applied, made the default, and deleted', async () => {
  const views = () => page.getByLabel(/^Views/);
  await page.getByLabel('Status').selectOption('error');
  await shows('2');
  await views().click();
  await page.getByRole('button', { name: 'Save view…' }).click();
  await page.getByLabel('Name').fill('Failing');
  await page.getByLabel('Open this list with this view').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Views: Failing').waitFor();
  await page.goto(`${service.urls.public}/runs?agent=support`);
  await shows('2', '1');
  await views().click();
  await page.getByRole('button', { name: /^Failing/ }).click();
  await shows('2');
  expect(query().toString()).toBe('status=error');
  await page.goto(`${service.urls.public}/runs`);
  await shows('2');
  await views().click();
  await page.getByRole('button', { name: 'Edit Failing' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await page.getByLabel('Views', { exact: true }).waitFor();
  await page.goto(`${service.urls.public}/runs`);
  await shows('3', '2', '1');
});

test('a click on the histogram restricts the time range', async () => {
  const histogram = page.getByRole('img', { name: /^3 runs and 1 error/ });
  const box = await histogram.boundingBox();
  if (!box) throw new Error('the histogram has no bounding box');
  await page.mouse.click(box.x + box.width - 12, box.y + box.height / 2);
  await shows('3');
  expect(Date.parse(query().get('start') ?? '')).toBe(T0 + 2 * 3_600_000);
  await page.goBack();
  await shows('3', '2', '1');
});
