// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

const agents = ['reader', 'writer', 'tester'];

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const { policies, recording, evaluations } = service.byKey;
  await service.byOwner.identity.createUser({
    body: { email: 'ada@example.test', role: 'analyst' },
  });
  for (const [name, severity] of [
    ['No shells', 'high'],
    ['No deletes', 'low'],
  ] as const)
    await policies.createPolicy({
      body: {
        name,
        category: 'tool-allowlist',
        rules: { blocked_tools: [name === 'No shells' ? 'shell' : 'rm'] },
        severity,
      },
    });
  for (const agent_name of agents)
    for (let i = 0; i < 3; i += 1) {
      const { run_id } = await recording.startRun({ body: { agent_name } });
      const spans = [{ name: 'shell', kind: 'tool' as const }];
      await recording.recordSpans({ params: { run_id }, body: { spans } });
    }
  await evaluations.checkPolicy({ body: { agent_name: 'cleaner', tools: ['rm'] } });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  const everything = { filter: {}, changes: { status: 'open' as const, assignee_id: null } };
  await service.byOwner.incidents.updateIncidents({ body: everything });
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/incidents`);
  await rows().nth(3).waitFor();
});

afterEach(() => page.close());

const rows = () => page.getByRole('table', { name: 'Incidents' }).locator('tbody tr');
const bar = () => page.getByRole('group', { name: 'Change selected incidents' });
const query = () => new URL(page.url()).searchParams;
const statuses = async (filter: object = {}) => {
  const { results } = await service.byOwner.incidents.listIncidents({
    query: { limit: 100, ...filter },
  });
  return results.map(({ status }) => status);
};

test('incidents with one cause are one row, and headers sort them', async () => {
  const row = rows().filter({ hasText: 'writer' });
  await expect.poll(() => row.textContent()).toMatch(/No shells.*High.*3.*Open/);
  await row.getByRole('img', { name: '3 occurrences since' }).waitFor();
  await page.getByRole('columnheader', { name: 'Incidents' }).getByRole('button').click();
  await expect.poll(() => query().get('sort')).toBe('-incidents');
  await expect.poll(() => rows().last().textContent()).toContain('cleaner');
  await page.getByLabel('Severity', { exact: true }).selectOption('low');
  await expect.poll(() => rows().count()).toBe(1);
  await expect.poll(() => rows().textContent()).toContain('No deletes');
});

test('selected groups are acknowledged and assigned together with the keyboard', async () => {
  for (const agent of ['reader', 'tester']) {
    const box = rows().filter({ hasText: agent }).getByRole('checkbox');
    await box.focus();
    await page.keyboard.press('Space');
  }
  await bar().getByText('2 groups selected').waitFor();
  await bar().getByRole('button', { name: 'Acknowledge' }).focus();
  await page.keyboard.press('Enter');
  await rows().filter({ hasText: 'reader' }).getByText('Acknowledged').waitFor();
  expect(await statuses({ agent: 'writer' })).toEqual(['open', 'open', 'open']);
  expect(new Set(await statuses({ agent: 'tester' }))).toEqual(new Set(['acknowledged']));
  await rows().filter({ hasText: 'reader' }).getByRole('checkbox').check();
  await bar().getByLabel('Assign to').selectOption('ada@example.test');
  await rows().filter({ hasText: 'reader' }).getByText('ada@example.test').waitFor();
  await page.getByLabel('Assignee', { exact: true }).selectOption('ada@example.test');
  await expect.poll(() => rows().count()).toBe(1);
});

test('everything that the filter matches is resolved after a confirmation', async () => {
  await page.getByLabel('Search incidents').fill('SHELL');
  await expect.poll(() => rows().count()).toBe(3);
  await bar().getByLabel('All 9 incidents of this filter').check();
  await bar().getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve: 9 incidents' });
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new Set(await statuses({ search: 'shell' }))).toEqual(new Set(['resolved']));
  expect(await statuses({ agent: 'cleaner' })).toEqual(['open']);
});

test('a row opens a side panel with its incidents, and links to the tool call', async () => {
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^No (shells|deletes)$/ });
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await rows().filter({ hasText: 'writer' }).getByText('No shells').click();
  await panel.getByText('3: 3 open, 0 acknowledged, 0 resolved').waitFor();
  await page.reload();
  const occurrences = panel.getByRole('table', { name: 'Occurrences' });
  await occurrences.getByText('Unknown').first().waitFor();
  await occurrences
    .getByRole('button', { name: /^Details of run/ })
    .first()
    .click();
  const call = panel.getByRole('link', { name: /^Tool call \d+$/ });
  await expect.poll(() => call.getAttribute('href')).toMatch(/^\/runs\/\d+\?span=tool-\d+$/);
  await panel.getByLabel('Severity of the group').selectOption('critical');
  await rows().filter({ hasText: 'writer' }).getByText('Critical').waitFor();
  await panel.getByRole('button', { name: 'Resolve all' }).click();
  await panel.getByText('3: 0 open, 0 acknowledged, 3 resolved').waitFor();
  await call.click();
  await page.getByRole('heading', { level: 1, name: /^Run \d+$/ }).waitFor();
});

test('the filter is saved as a view, and its incidents are exported', async () => {
  await page.getByLabel('Severity', { exact: true }).selectOption('low');
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByText('Views', { exact: true }).click();
  await page.getByRole('button', { name: 'Save view…' }).click();
  await page.getByLabel('Name').fill('Minor');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Minor', { exact: true }).waitFor();
  await page.getByText('Export', { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON Lines' }).click(),
  ]);
  const [line, ...more] = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(more).toEqual([]);
  expect(JSON.parse(line ?? '')).toMatchObject({ agent_name: 'cleaner', obeyed: 'unknown' });
});
