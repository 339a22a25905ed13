// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { appOf } from '../support/device-reports.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;
let device: TestDevice;

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  device = await enrollDevice(service, 'hardware-apps', { userGroup: 'finance' });
  const other = await enrollDevice(service, 'hardware-others');
  const claude = (version: string) =>
    appOf('Claude Code', {
      catalog_id: 'claude-code',
      version,
      risk_flags: ['bypass_permissions'],
    });
  const evidence = ['in /home/ada/.claude.json, read by Claude Code', 'stdio: npx evil-mcp@1.0'];
  const server = appOf('files', { kind: 'mcp_server', version: null, evidence });
  await device.client.device.reportInventory({
    body: { batch_id: 'scan-of-first', apps: [claude('1.9.0'), server] },
  });
  await other.client.device.reportInventory({
    body: { batch_id: 'scan-of-other', apps: [claude('1.10.0'), appOf('aider')] },
  });
  const count = async () => (await service.byOwner.inventory.listAppGroups({ query: {} })).count;
  await vi.waitUntil(async () => (await count()) === 3, { timeout: PATIENCE_MS });
  browser = await launchChromium();
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const open = (path: string) => page.goto(`${service.urls.public}${path}`);
const rowsOf = (table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr:not(.detail)');

test('the fleet has one row per app, and can be filtered', async () => {
  await page.getByRole('link', { name: 'Apps' }).click();
  await rowsOf('Apps').nth(2).waitFor();
  const claude = rowsOf('Apps').filter({ hasText: 'Claude Code' });
  await expect
    .poll(() => claude.textContent())
    .toMatch(/Command line1\.9\.0 – 1\.10\.021.*bypasses permissions/);
  await expect
    .poll(() => claude.getByTitle('It is configured to act without asking').count())
    .toBe(1);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'MCP server' });
  await rowsOf('Apps').filter({ hasText: 'Claude Code' }).waitFor({ state: 'detached' });
  await expect
    .poll(() => rowsOf('Apps').allTextContents())
    .toEqual([expect.stringMatching(/^npm:evil-mcp/)]);
  await page
    .getByRole('combobox', { name: 'First seen' })
    .selectOption({ label: 'First seen in the last hour' });
  await expect.poll(() => new URL(page.url()).search).toBe('?kind=mcp_server&new_since=1h');
  await rowsOf('Apps').first().waitFor();
});

test('each installation is one row, sorted newest first and exported', async () => {
  await open('/apps');
  await page.getByRole('tab', { name: 'Installations' }).click();
  await rowsOf('Installations').nth(3).waitFor();
  await page.getByRole('columnheader', { name: 'First seen' }).getByRole('button').click();
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=installations&sort=-first_seen');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Risk').selectOption('bypass_permissions');
  await rowsOf('Installations').nth(2).waitFor({ state: 'detached' });
  await expect.poll(() => rowsOf('Installations').count()).toBe(2);
  await page.getByLabel('Export', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect([file.suggestedFilename(), lines.length]).toEqual(['inventory.csv', 3]);
  await rowsOf('Installations').first().getByText('Command line').click();
  const panel = page.getByRole('region', { name: 'Claude Code' });
  await panel.getByText('its package names it').waitFor();
});

test('an app links to its installations, with path and evidence', async () => {
  await open('/apps');
  await page.getByRole('link', { name: 'Claude Code' }).click();
  await page.getByRole('heading', { name: 'Claude Code' }).waitFor();
  await rowsOf('Installations').nth(1).waitFor();
  await page.getByRole('combobox', { name: 'Version' }).selectOption('1.9.0');
  await rowsOf('Installations').nth(1).waitFor({ state: 'detached' });
  await rowsOf('Installations').first().getByRole('button').click();
  await page.getByText('its package names it').waitFor();
  await page.getByRole('link', { name: 'macbook-ada' }).click();
  await page.getByRole('heading', { name: 'macbook-ada' }).waitFor();
  expect(page.url()).toContain(device.id);
});

test('a rule is previewed before it is saved; its incident links to the app', async () => {
  await open('/apps?tab=rules');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 incident: 1 app on 1 device.').waitFor();
  await expect
    .poll(() => rowsOf('Findings').allTextContents())
    .toEqual([expect.stringMatching(/evil-mcp.*macbook-ada.*not on the list of allowed apps/)]);
  await page.getByLabel('Name', { exact: true }).fill('Only known MCP servers');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await rowsOf('Inventory rules').filter({ hasText: 'Active' }).waitFor();
  await open('/incidents?source=inventory');
  await rowsOf('Incidents').getByText('evil-mcp is not on the list').click();
  await page.getByRole('link', { name: 'Only known MCP servers' }).waitFor();
  await rowsOf('Occurrences').first().getByRole('button').click();
  await page.getByRole('link', { name: 'npm:evil-mcp' }).click();
  await page.getByRole('heading', { name: 'npm:evil-mcp' }).waitFor();
});

test('a kind that cannot be blocked is reported in one line', async () => {
  await open('/inventory-rules/new');
  await page.getByLabel('Name', { exact: true }).fill('Block what cannot be');
  await page.getByLabel('Action').selectOption('block');
  await page.getByLabel('Instruction file').check();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('instruction_file cannot be blocked').waitFor();
});

test('the device page shows what a rule blocks, with the rule', async () => {
  await service.byOwner.inventoryRules.createInventoryRule({
    body: {
      name: 'No agents in finance',
      condition: { type: 'listed', apps: ['claude-code'], kinds: ['cli'] },
      scope: { user_groups: ['finance'] },
      action: 'block',
    },
  });
  await open(`/devices/${device.id}`);
  const section = page.getByRole('region', { name: 'Effective configuration' });
  await section.getByText('inventory rule No agents in finance').waitFor();
});
