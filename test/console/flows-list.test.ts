// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { flowOf } from '../support/device-reports.ts';
import { enrollDevice } from '../support/device.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

const agoOf = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const { client } = await enrollDevice(service, 'hardware-flows');
  const flows = [
    flowOf('a', { started_at: agoOf(5) }),
    flowOf('b', { started_at: agoOf(10) }),
    flowOf('c', { started_at: agoOf(600), process: 'curl', host: 'api.openai.com' }),
  ];
  await client.device.reportFlows({ body: { batch_id: 'flows-of-list', flows } });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/flows`);
  await shows('a', 'b', 'c');
});

afterEach(() => page.close());

const rows = () => page.getByRole('table', { name: 'Flows', exact: true }).locator('tbody tr');
const query = () => new URL(page.url()).searchParams;

async function shows(...ids: string[]): Promise<void> {
  const keys = () => rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-key')));
  await expect.poll(async () => (await keys()).map((key) => key?.split(' ')[1])).toEqual(ids);
}

test('time range, host and sort order are in the URL and undone by Back', async () => {
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last hour' });
  await shows('a', 'b');
  await page.goBack();
  await shows('a', 'b', 'c');
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
  await shows('c', 'b', 'a');
  expect(query().get('sort')).toBe('started_at');
  await page.getByLabel('Host', { exact: true }).fill('api.openai.com');
  await page.keyboard.press('Enter');
  await shows('c');
  await page.getByLabel('Export', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON Lines' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['c']);
});

test('identical flows are one row, which links to them', async () => {
  await page.getByRole('radio', { name: 'Grouped' }).check({ force: true });
  const groups = page.getByRole('table', { name: 'Groups of flows' }).locator('tbody tr');
  await groups.nth(1).waitFor();
  await expect.poll(() => groups.first().textContent()).toMatch(/api\.anthropic\.com.*claude2/);
  await page.getByText('2 groups of 3 flows').waitFor();
  await groups.first().getByRole('button', { name: 'api.anthropic.com' }).click();
  await shows('a', 'b');
  expect([query().get('host'), query().get('grouped')]).toEqual(['api.anthropic.com', null]);
});

test('a row opens a side panel', async () => {
  await rows().nth(2).getByText('ada', { exact: true }).click();
  const panel = page.getByRole('region', { name: 'curl: api.openai.com' });
  await panel.getByText('203.0.113.9:443').waitFor();
  await page.keyboard.press('k');
  await page.getByRole('region', { name: 'claude: api.anthropic.com' }).waitFor();
});

test('a paused list in another order shows more rows, whatever their start time', async () => {
  const { client } = await enrollDevice(service, 'hardware-many-flows');
  // Flows with fewer bytes started later.
  const flows = Array.from({ length: 120 }, (_, at) =>
    flowOf(`many-${at}`, { process: 'many', bytes_in: 1000 - at, started_at: agoOf(200 - at) }),
  );
  await client.device.reportFlows({ body: { batch_id: 'many-flows', flows } });
  await page.goto(`${service.urls.public}/flows?process=many&sort=-bytes_in`);
  await page.getByText('100 of 120').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await shows(...flows.map(({ id }) => id));
});
