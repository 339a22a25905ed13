// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice } from '../support/device.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;
const ids: string[] = [];

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  for (const at of [0, 1, 2]) {
    const { id, client } = await enrollDevice(service, `hardware-${at}`, {
      userGroup: at === 0 ? 'design' : 'sales',
    });
    ids.push(id);
    const flags = at === 1 ? { risk_flags: ['sends_data'] } : {};
    const apps = Array.from({ length: at }, (_, app) => appOf(`app-${app}`, flags));
    await client.device.reportInventory({ body: { batch_id: `scan-of-${at}`, apps } });
    await client.device.heartbeat({
      body: {
        agent_version: '0.1.0',
        applied_version: 0,
        queued: 0,
        dropped: 0,
        problems: at === 2 ? ['the disk is full'] : [],
      },
    });
  }
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/devices`);
  await shows(2, 1, 0);
});

afterEach(() => page.close());

const rows = () => page.getByRole('table', { name: 'Devices' }).locator('tbody tr');
const query = () => new URL(page.url()).searchParams;

/** Expects these devices, in this order. */
async function shows(...which: number[]): Promise<void> {
  await expect
    .poll(() => rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-key'))))
    .toEqual(which.map((at) => ids[at]));
}

test('headers sort by apps and problems, filters are in the URL, and Back reverts them', async () => {
  const header = page.getByRole('columnheader', { name: 'Apps' });
  await header.getByRole('button').click();
  await shows(2, 1, 0);
  await header.getByRole('button').click();
  await shows(0, 1, 2);
  expect(query().get('sort')).toBe('apps');
  await page.getByLabel('Problems').selectOption({ label: 'With problems' });
  await shows(2);
  await page.goBack();
  await shows(0, 1, 2);
  await page.getByRole('button', { name: 'More filters' }).click();
  const more = page.getByRole('group', { name: 'More filters' });
  await more.getByLabel('Risk').selectOption({ label: 'sends data' });
  await shows(1);
  expect(query().get('risk')).toBe('sends_data');
});

test('a row opens a side panel with apps and problems', async () => {
  await rows().first().getByText('ada', { exact: true }).click();
  const panel = page.getByRole('region', { name: 'macbook-ada' });
  await panel.getByText('the disk is full').waitFor();
  await panel.getByRole('link', { name: 'app-0' }).waitFor();
  expect(query().get('open')).toBe(ids[2]);
  await page.keyboard.press('j');
  await expect.poll(() => query().get('open')).toBe(ids[1]);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('a view stores filters and columns, and a file has the filtered rows', async () => {
  await page.getByLabel('Columns and density').click();
  await page.getByLabel('User group', { exact: true }).check();
  await page.goto(`${service.urls.public}/devices?user_group=sales&sort=apps`);
  await shows(1, 2);
  await page.getByLabel('Views', { exact: true }).click();
  await page.getByRole('button', { name: 'Save view…' }).click();
  await page.getByLabel('Name').fill('Sales');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Views: Sales').waitFor();
  await page.getByLabel('Export', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON Lines' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  const devices = lines.map((line) => JSON.parse(line) as { id: string; present_apps: number });
  expect(devices.map(({ id, present_apps }) => [id, present_apps])).toEqual([
    [ids[1], 1],
    [ids[2], 2],
  ]);
});

test('in a narrow window, the sort order is a selection field', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByLabel('Sort by').selectOption({ label: 'Apps, ascending' });
  await shows(0, 1, 2);
  expect(query().get('sort')).toBe('apps');
});

test('selected devices are revoked together, and only after a confirmation', async () => {
  await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check();
  const chosen = page.getByRole('group', { name: 'Chosen devices' });
  await chosen.getByText('3 devices chosen').waitFor();
  await expect.poll(() => chosen.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  await rows().nth(2).getByRole('checkbox').uncheck();
  await chosen.getByRole('button', { name: 'Revoke 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke 2 devices' });
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => rows().evaluateAll((all) => all.map((row) => /Revoked/.test(row.textContent))))
    .toEqual([true, true, false]);
  await chosen.waitFor({ state: 'detached' });
});
