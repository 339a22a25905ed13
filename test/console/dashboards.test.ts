// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

const DAY_MS = 24 * 3_600_000;

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const { recording } = service.byKey;
  const recorded = [
    ['support', 3, 1],
    ['support', 2, 2],
    ['research', 1.5, 1],
    ['support', 1, 10],
  ] as const;
  for (const [agent_name, cost, days] of recorded) {
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    const { run_id } = await recording.startRun({ body: { agent_name, started_at: at } });
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 1, cost, created_at: at };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    await recording.completeRun({ params: { run_id }, body: { completed_at: at } });
  }
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
});
afterEach(() => page.close());

const widgets = () => page.locator('section.widget');
const widget = (name: string) => page.getByRole('region', { name, exact: true });
const titles = () =>
  widgets().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

async function makeDashboard(name: string, measures: readonly string[] = []): Promise<string> {
  const { id } = await service.byOwner.dashboards.createDashboard({
    body: {
      name,
      widgets: measures.map((measure) => ({
        title: measure,
        chart: 'number',
        query: { measure: measure as 'cost' },
      })),
    },
  });
  await page.goto(`${service.urls.public}/dashboards/${id}`);
  return id;
}

/**
 * Returns the titles of the stored widgets, because the page shows a change before it is stored.
 */
const stored = async (dashboard_id: string) =>
  (await service.byOwner.dashboards.getDashboard({ params: { dashboard_id } })).widgets.map(
    ({ title }) => title,
  );

test('a dashboard is created with a widget, which shows its figures after a reload', async () => {
  await page.goto(`${service.urls.public}/dashboards`);
  await page.getByRole('button', { name: 'Create dashboard' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Spending');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Spending' }).waitFor();
  await page.getByText('No widgets yet').waitFor();

  await page.getByRole('button', { name: 'Add widget' }).click();
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await preview.getByText('$5.00').waitFor();
  await page.getByLabel('Measure').selectOption('Runs');
  await preview.getByRole('heading', { name: 'Runs by agent' }).waitFor();
  await page.getByLabel('Measure').selectOption('Cost');
  await page.getByLabel('Title').fill('Who spends');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await widget('Who spends').getByText('$5.00').waitFor();
  await page.reload();
  const rows = widget('Who spends').getByRole('table').locator('tbody tr');
  await expect
    .poll(() => rows.evaluateAll((all) => all.map(({ textContent }) => textContent)))
    .toEqual([
      expect.stringMatching(/support.*\$5\.00.*400% more/),
      expect.stringMatching(/research.*\$1\.50.*previously none/),
    ]);
});

test('a name links to the calls behind the figure', async () => {
  await page.goto(`${service.urls.public}/dashboards/overview`);
  await widget('Cost by model').getByRole('link', { name: 'gpt-4o' }).click();
  await page.waitForURL(/\/llm-calls\?model=gpt-4o&start=/);
  await expect
    .poll(() => page.getByRole('table', { name: 'LLM calls' }).locator('tbody tr').count())
    .toBe(3);
});

test('the built-in dashboard has no menu, but a copy of it has one', async () => {
  await page.goto(`${service.urls.public}/dashboards/overview`);
  await widgets().first().waitFor();
  const wanted = await titles();
  expect(await page.getByRole('button', { name: 'Add widget' }).count()).toBe(0);
  await page.getByLabel('Actions for the dashboard').click();
  await page.getByRole('button', { name: 'Duplicate dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: /\(copy\)/ }).waitFor();
  await page.getByRole('button', { name: 'Add widget' }).waitFor();
  await expect.poll(titles).toEqual(wanted);
});

test('Alt and an arrow key move a widget, which keeps the focus', async () => {
  const id = await makeDashboard('Order', ['cost', 'runs', 'tokens']);
  const menu = widget('tokens').getByLabel('Actions for tokens');
  await menu.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(titles).toEqual(['cost', 'tokens', 'runs']);
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(titles).toEqual(['tokens', 'cost', 'runs']);
  await page.getByText('tokens is now 1 of 3').waitFor({ state: 'attached' });
  await expect.poll(() => menu.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => stored(id)).toEqual(['tokens', 'cost', 'runs']);
});

test('a widget is resized, duplicated and removed from its menu', async () => {
  const id = await makeDashboard('Menu', ['cost', 'runs']);
  const choose = async (title: string, action: string) => {
    await widget(title).first().getByLabel(`Actions for ${title}`).click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  await choose('cost', 'Full width');
  await page.locator('section.widget.full').waitFor();
  await choose('cost', 'Duplicate');
  await expect.poll(titles).toEqual(['cost', 'cost', 'runs']);
  await choose('runs', 'Remove');
  await expect.poll(titles).toEqual(['cost', 'cost']);
  await expect.poll(() => stored(id)).toEqual(['cost', 'cost']);
  await page.reload();
  await expect.poll(titles).toEqual(['cost', 'cost']);
});

test('arrow keys move through the values of a chart, which also has a table', async () => {
  await page.goto(`${service.urls.public}/dashboards/overview`);
  const chart = widget('Cost by agent');
  const slider = chart.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const text = await slider.getAttribute('aria-valuetext');
  expect(text).toMatch(/^\d+ \w+: \$4\.50 · support \$3\.00 · research \$1\.50$/);
  await expect.poll(() => chart.locator('.chart-readout').textContent()).toBe(text);
  await chart.getByText('Show as a table').click();
  const cells = chart.getByRole('table').locator('tbody tr').filter({ hasText: '$3.00' });
  await expect.poll(() => cells.textContent()).toContain('$1.50');
});

test('a filter and time range of the page apply to all widgets and stay in the URL', async () => {
  await makeDashboard('Filtered', ['cost']);
  await widget('cost').getByText('$6.50').waitFor();
  await page.getByLabel('Agent', { exact: true }).fill('research');
  await page.getByLabel('Agent', { exact: true }).press('Enter');
  await widget('cost').getByText('$1.50').first().waitFor();
  await page.getByLabel('Agent', { exact: true }).fill('support');
  await page.getByLabel('Agent', { exact: true }).press('Enter');
  await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days');
  await widget('cost').getByText('$6.00').waitFor();
  await page.reload();
  await widget('cost').getByText('$6.00').waitFor();
});
