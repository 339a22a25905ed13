// @module-tag chromium

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { signIn } from '../support/console.ts';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

/** Maximum size in bytes of the compressed scripts and styles for the first page. */
const MAX_AT_FIRST = 200 * 1024;

let service: TestControlPlane;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  for (const agent_name of ['support', 'research'])
    await service.byKey.recording.startRun({ body: { agent_name, user_id: 'ada@example.com' } });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    timezoneId: 'Asia/Tokyo',
  });
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
});

afterEach(() => context.close());

const palette = () => page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
const title = (name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function enter(path: string): Promise<void> {
  await page.goto(service.urls.public + path);
  await signIn(page, OWNER);
  await page.locator('#content h1').waitFor();
}

test('the first visit reports no error, and the email field has the focus', async () => {
  const reported: string[] = [];
  page.on('console', (message) => reported.push(message.text()));
  await page.goto(service.urls.public);
  await page.getByLabel('Email').waitFor();
  await page.keyboard.type('ada@example.com');
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  expect(reported).toEqual([]);
});

test('the first page loads few bytes, and rarely used parts load on demand', async () => {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (/\.(js|css)$/.test(request.url()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`${service.urls.public}/runs`);
  await signIn(page, OWNER);
  await page.getByRole('table', { name: 'Runs' }).waitFor();
  await page.waitForLoadState('networkidle');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(20 * 1024);
  expect(total).toBeLessThan(MAX_AT_FIRST);
  const before = sizes.length;
  await page.keyboard.press('Control+k');
  await palette().waitFor();
  await expect.poll(() => sizes.length).toBeGreaterThan(before);
});

test('after navigation the focus is on the title, which is also the document title', async () => {
  await enter('/runs');
  await page.getByRole('link', { name: 'Policies' }).click();
  await title('Policies');
  await expect.poll(focused).toBe('Policies');
  await expect.poll(() => page.title()).toBe('Policies · Gatehouse');
  await page.goBack();
  await title('Runs');
  await expect.poll(focused).toBe('Runs');
});

test('the palette leads to pages, runs, agents and users', async () => {
  await enter('/devices');
  for (const [text, option, heading] of [
    ['audit', 'Audit log', 'Audit log'],
    ['1', 'Run 1', 'Run 1'],
    ['ada@', 'ada@example.com', 'ada@example.com'],
    ['resea', 'research', 'Runs'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await palette().fill(text);
    await page.getByRole('option', { name: option }).first().waitFor();
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await title(heading);
    await palette().waitFor({ state: 'detached' });
  }
  expect(page.url()).toContain('/runs?agent=research');
});

test('shortcuts open pages, focus the search and list themselves', async () => {
  await enter('/devices');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await title('LLM calls');
  await page.getByRole('searchbox', { name: 'Search LLM calls' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gr?');
  await expect
    .poll(() => page.getByRole('searchbox', { name: 'Search LLM calls' }).inputValue())
    .toBe('gr?');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('LLM calls').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('on a phone, the sidebar is a drawer with names, and filters expand', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter('/llm-calls');
  const menu = page.getByRole('button', { name: 'Menu' });
  const incidents = page.getByRole('link', { name: 'Incidents' });
  expect(await incidents.isVisible()).toBe(false);
  await menu.click();
  await page.getByRole('group', { name: 'Governance' }).getByText('Incidents').waitFor();
  await page.keyboard.press('Escape');
  await incidents.waitFor({ state: 'hidden' });
  await menu.click();
  await incidents.click();
  await title('Incidents');
  await incidents.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Category').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Category').waitFor();
});

test('theme and time zone are chosen in the settings and stored', async () => {
  await enter('/settings/appearance');
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.getByText('GMT+9').waitFor();
  await expect.poll(scheme).toBe('light dark');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.goto(`${service.urls.public}/account`);
  await title('Your account');
  await expect.poll(scheme).toBe('dark');
  const times = page.getByRole('table', { name: 'Active sessions' }).locator('time').first();
  await expect.poll(() => times.getAttribute('title')).toContain('UTC');
});

test('the panel of each audit log row has a unique heading', async () => {
  for (const name of ['one', 'other'])
    await service.byKey.policies.createPolicy({ body: { name, category: 'operations' } });
  await enter('/audit');
  const rows = page
    .getByRole('table', { name: 'Audit log' })
    .locator('tbody tr', { hasText: 'policy.create' });
  await rows.nth(1).waitFor();
  const heading = page.locator('.side-panel h2');
  const names = new Set<string>();
  for (const at of [0, 1]) {
    await rows.nth(at).getByText('policy.create', { exact: true }).click();
    await expect.poll(async () => names.has((await heading.textContent()) ?? '')).toBe(false);
    names.add((await heading.textContent()) ?? '');
  }
  const named = expect.stringMatching(/policy\.create/) as string;
  expect([...names]).toEqual([named, named]);
});
