// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { makeFleetOverTime } from '../support/fleet-over-time.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([makeFleetOverTime(), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
});

afterEach(() => page.close());

const query = () => new URL(page.url()).searchParams;
const open = (path: string) => page.goto(`${service.urls.public}${path}`);
const rows = (label: string) =>
  page.getByRole('table', { name: label, exact: true }).locator('tbody tr');

/** Expects these texts in a column, counted from 1, in this order. */
async function shows(label: string, column: number, ...texts: string[]): Promise<void> {
  const cells = rows(label).locator(`:is(td, th):nth-child(${column})`);
  await expect.poll(() => cells.allTextContents()).toEqual(texts);
}

const headerOf = (name: string) =>
  page.getByRole('columnheader', { name, exact: true }).getByRole('button');

async function clickFirstBar(summary: string | RegExp): Promise<void> {
  const histogram = page.getByRole('img', { name: summary });
  await histogram.waitFor();
  const box = await histogram.boundingBox();
  if (!box) throw new Error('the histogram has no bounding box');
  await page.mouse.click(box.x + 2, box.y + box.height - 6);
}

test.each([
  ['/sessions', 'Sessions', '2 sessions (last activity) from', 2, 1, 'last_activity'],
  ['/users', 'End users', '3 users (last seen) from', 3, 1, 'last_seen'],
  ['/devices', 'Devices', '2 devices (last seen) from', 2, 1, 'last_seen'],
  ['/apps', 'Apps', '2 apps (first seen) from', 2, 1, 'first_seen'],
  ['/apps?tab=installations', 'Installations', '3 installations (first seen)', 3, 1, 'first_seen'],
  ['/flows', 'Flows', '3 flows from', 3, 1, null],
  ['/captures', 'Captures', '3 captures from', 3, 1, null],
  ['/audit?action=prompt.*', 'Audit log', '2 entries from', 2, 1, null],
] as const)(
  'a bar over %s restricts the list to its rows, and Back undoes it',
  async (path, label, summary, all, some, time) => {
    await open(path);
    await expect.poll(() => rows(label).count()).toBe(all);
    await clickFirstBar(new RegExp(`^${summary.replaceAll(/[()]/g, String.raw`\$&`)}`));
    await expect.poll(() => rows(label).count()).toBe(some);
    expect([query().get('time'), query().get('start') !== null]).toEqual([time, true]);
    await page.goBack();
    await expect.poll(() => rows(label).count()).toBe(all);
    expect([query().get('time'), query().get('start')]).toEqual([null, null]);
  },
);

test('one of the times of devices is shown over time and restricts the list', async () => {
  await open('/devices');
  await page.getByRole('radio', { name: 'Enrolled' }).check();
  await clickFirstBar(/^2 devices \(enrolled\) from/);
  await expect.poll(() => rows('Devices').count()).toBe(1);
  expect([query().get('chart'), query().get('time')]).toEqual(['enrolled_at', 'enrolled_at']);
  await page.getByLabel('Time field').selectOption({ label: 'Last seen' });
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Any time' });
  await expect.poll(() => rows('Devices').count()).toBe(2);
  await expect.poll(() => page.getByLabel('Time field').count()).toBe(0);
});

test('a time range of sessions applies to any activity or to their first run', async () => {
  await open('/sessions?since=1d');
  await expect.poll(() => rows('Sessions').count()).toBe(2);
  await page.getByLabel('Time field').selectOption({ label: 'First run' });
  await page.getByRole('radio', { name: 'First run' }).check();
  await page.getByRole('img', { name: /^2 sessions \(first run\)/ }).waitFor();
  expect([query().get('time'), query().get('chart')]).toEqual(['first_run', 'first_run']);
});

test('headers sort flows', async () => {
  await open('/flows');
  await shows('Flows', 6, '10 B', '30 B', '20 B');
  await headerOf('In').click();
  await shows('Flows', 6, '30 B', '20 B', '10 B');
  expect(query().get('sort')).toBe('-bytes_in');
  await headerOf('In').click();
  await shows('Flows', 6, '10 B', '20 B', '30 B');
  await headerOf('Process').click();
  await expect
    .poll(() => rows('Flows').locator('td:nth-child(3)').first().textContent())
    .toContain('aider');
});

test('headers sort captures', async () => {
  await open('/captures');
  await headerOf('Status').click();
  await shows('Captures', 8, '500', '429', '200');
  await headerOf('Model').click();
  await shows('Captures', 4, 'gpt-4o', 'gpt-5', 'o3');
  expect(query().get('sort')).toBe('model');
});

test('headers sort audit log entries', async () => {
  await open('/audit');
  await headerOf('Action').click();
  await rows('Audit log').first().waitFor();
  const actions = rows('Audit log').locator(':is(td, th):nth-child(1)');
  await expect
    .poll(async () => {
      const texts = await actions.allTextContents();
      return texts.length > 3 && texts.every((text, at) => at === 0 || texts[at - 1]! <= text);
    })
    .toBe(true);
  expect(query().get('sort')).toBe('action');
});

test('LLM calls are sorted and filtered by their duration', async () => {
  await open('/llm-calls');
  await headerOf('Duration').click();
  const durations = rows('LLM calls').locator('td:nth-child(5)');
  const longest = async () => (await durations.allTextContents()).slice(0, 2);
  await expect.poll(longest).toEqual(['9.0 s', '250 ms']);
  expect(query().get('sort')).toBe('-duration_ms');
  await page.getByLabel('Duration, s to').fill('1');
  await page.keyboard.press('Enter');
  await expect.poll(() => durations.allTextContents()).toEqual(['250 ms']);
  expect(query().get('max_duration')).toBe('1');
  await page.getByLabel('Search LLM calls').fill('hello');
  await expect.poll(() => query().get('search')).toBe('hello');
  await expect.poll(() => durations.allTextContents()).toEqual(['250 ms']);
});

test('on a phone, the sort order is a selection field, and the chart fits', async () => {
  await page.setViewportSize({ width: 390, height: 900 });
  await open('/flows');
  await page.getByLabel('Sort by').selectOption({ label: 'In, descending' });
  await expect.poll(() => query().get('sort')).toBe('-bytes_in');
  await page.getByRole('img', { name: /^3 flows from/ }).waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
});
