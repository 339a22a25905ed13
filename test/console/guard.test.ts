// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  browser = await launchChromium();
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const put = (...intercept_hosts: string[]) =>
  service.byOwner.guard.putLayer({
    body: { layer: 'global', config: { capture_enabled: true, intercept_hosts } },
  });
const hosts = async () => {
  const { effective } = await service.byOwner.guard.resolveGuard({ query: {} });
  return effective.intercept_hosts;
};
const history = () => page.getByRole('table', { name: 'History' }).locator('tbody tr:not(.detail)');
const hostSwitch = (name: string) => page.getByRole('switch', { name, exact: true });

test('switching a host on shows its related hosts', async () => {
  await put('claude.ai');
  await page.goto(`${service.urls.public}/guard?search=anthropic`);
  const related = page.getByText('The same apps may also use: api.anthropic.com');
  await related.waitFor();
  await page.getByRole('button', { name: 'Enable api.anthropic.com' }).click();
  await related.waitFor({ state: 'detached' });
  await expect
    .poll(() => hostSwitch('api.anthropic.com').getAttribute('aria-checked'))
    .toBe('true');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await history().filter({ hasText: '+ api.anthropic.com' }).waitFor();
  expect(await hosts()).toEqual(['api.anthropic.com', 'claude.ai']);
});

test('the history shows who changed what, and can revert a change', async () => {
  const { version } = await put('chatgpt.com');
  await page.goto(`${service.urls.public}/guard`);
  const row = history().filter({ hasText: `v${version}` });
  await row.waitFor();
  await expect
    .poll(() => row.textContent())
    .toMatch(/changed.*\+ chatgpt\.com, − .*owner@example\.test/);
  await row.getByRole('button', { name: 'Revert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText('Configuration: capture on; hosts: api.anthropic.com, claude.ai')
    .waitFor();
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await dialog.waitFor({ state: 'detached' });
  await history().filter({ hasText: 'reverted' }).waitFor();
  expect(await hosts()).toEqual(['api.anthropic.com', 'claude.ai']);
});

test('a revert that changes nothing is reported in the dialog', async () => {
  const first = history().first();
  await first.getByRole('button', { name: 'Revert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'As of version' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await dialog.getByText('the layer already has this state').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('the device page shows the number of dropped reports, if there are any', async () => {
  const { id, client } = await enrollDevice(service, 'hardware-spool');
  const body = { agent_version: '1', applied_version: 0, queued: 7, dropped: 0, problems: [] };
  const droppedReports = async (): Promise<string[]> => {
    await page.goto(`${service.urls.public}/devices/${id}`);
    const facts = page.getByRole('region', { name: 'Device' }).locator('dl > div');
    await facts.filter({ hasText: 'Expires' }).waitFor();
    return facts.filter({ hasText: 'Reports dropped' }).allTextContents();
  };
  await client.device.heartbeat({ body });
  expect(await droppedReports()).toEqual([]);
  await client.device.heartbeat({ body: { ...body, dropped: 1234 } });
  expect(await droppedReports()).toEqual(['Reports dropped1,234']);
});

test('the device page shows monitoring gaps, if there are any', async () => {
  const { id, client } = await enrollDevice(service, 'hardware-not-observed');
  const body = { agent_version: '1', applied_version: 0, queued: 0, dropped: 0, problems: [] };
  const open = async () => {
    await page.goto(`${service.urls.public}/devices/${id}`);
    await page.getByRole('tab', { name: 'Apps' }).waitFor();
    return page.getByRole('tab', { name: 'Monitoring gaps' });
  };
  await client.device.heartbeat({ body });
  expect(await (await open()).count()).toBe(0);
  const started_at = '2026-03-01T10:00:00.000Z';
  const gap = { reason: 'not_running' as const, started_at, ended_at: '2026-03-01T10:00:42.000Z' };
  await client.device.heartbeat({ body: { ...body, not_observed: [gap] } });
  await (await open()).click();
  const row = page.getByRole('table', { name: 'Monitoring gaps' }).locator('tbody tr');
  await expect
    .poll(() => row.allTextContents())
    .toEqual([expect.stringMatching(/42 s.*Agent not running/)]);
});

test('policy enforcement is switched on, and reset to inherited', async () => {
  await put('claude.ai');
  await page.goto(`${service.urls.public}/guard`);
  await page.getByText('Policies only evaluate captured calls').waitFor();
  await hostSwitch('Policy enforcement').click();
  await page.getByText('Capture will be on for 1 host, with policy enforcement.').waitFor();
  await page
    .getByText(
      /^These categories can block a call: Circuit breaker, Content, .*Models\. All others/,
    )
    .waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await history().filter({ hasText: 'policy enforcement on' }).waitFor();
  const enforced = async () => {
    const { effective } = await service.byOwner.guard.resolveGuard({ query: {} });
    return effective.enforce_policies;
  };
  expect(await enforced()).toBe(true);
  await page.getByRole('button', { name: 'Reset to inherited: Policy enforcement' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await history().filter({ hasText: 'policy enforcement inherited' }).waitFor();
  expect(await enforced()).toBe(false);
});

test('the device page shows the capture level of each app, its reason and a remedy', async () => {
  const { id, client } = await enrollDevice(service, 'hardware-levels', { hosts: 'claude.ai' });
  const app = (name: string, catalog_id: string) => ({
    kind: 'cli' as const,
    name,
    catalog_id,
    version: null,
    path: `/opt/${name}`,
    user: null,
    confidence: 1,
    evidence: [],
    risk_flags: [],
  });
  const apps = [app('Claude Code', 'claude-code'), app('Gemini CLI', 'gemini-cli')];
  await client.device.reportInventory({ body: { batch_id: 'levels-scan', apps } });
  const refusal = { app_id: 'claude-code', process: 'claude', host: 'claude.ai' };
  const certificate_refusals = [{ ...refusal, since: '2026-03-01T10:00:00.000Z' }];
  const body = { agent_version: '1', applied_version: 0, queued: 0, dropped: 0, problems: [] };
  await client.device.heartbeat({ body: { ...body, certificate_refusals } });
  await page.goto(`${service.urls.public}/devices/${id}`);
  const rows = page.getByRole('table', { name: 'Apps' }).locator('tbody tr:not(.detail)');
  const gemini = rows.filter({ hasText: 'Gemini CLI' });
  await gemini.waitFor();
  await expect.poll(() => gemini.textContent()).toContain('Metadata only');
  await gemini.getByRole('button', { name: 'Details' }).click();
  await page.getByText('Node programs: set NODE_USE_SYSTEM_CA=1').waitFor();
  const claude = rows.filter({ hasText: 'Claude Code' });
  await claude.getByRole('button', { name: 'Details' }).click();
  await page.getByText("rejects the device's certificate for claude.ai").waitFor();
  await page.getByRole('tab', { name: 'Certificate rejected' }).click();
  const refused = page.getByRole('table', { name: 'Certificate rejected' }).locator('tbody tr');
  await expect
    .poll(() => refused.allTextContents())
    .toEqual([expect.stringMatching(/claude.*claude\.ai/)]);
});

test('one host of one device: the difference is shown first, and all others keep following', async () => {
  await put('claude.ai');
  const { id } = await enrollDevice(service, 'hardware-one-host');
  await page.goto(`${service.urls.public}/guard?level=device&scope=${id}&search=chatgpt`);
  await hostSwitch('chatgpt.com').click();
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('Changes 1 device.').waitFor();
  await expect
    .poll(() => bar.getByRole('list', { name: 'Difference' }).textContent())
    .toBe('Turned on (1): chatgpt.com');
  await bar.getByText('1 device by name').click();
  await bar.getByText('macbook-ada').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await history().filter({ hasText: 'chatgpt.com on' }).waitFor();
  await put('claude.ai', 'api.mistral.ai');
  const { effective } = await service.byOwner.guard.resolveGuard({ query: { device: id } });
  expect(effective.intercept_hosts).toEqual(['api.mistral.ai', 'chatgpt.com', 'claude.ai']);
  // The overrides of the layer are visible when the page is opened again.
  await page.goto(`${service.urls.public}/guard?level=device&scope=${id}&only=overridden`);
  await page.getByRole('button', { name: 'Reset chatgpt.com' }).waitFor();
  const hosts = page.getByRole('region', { name: 'Device layer' });
  await expect.poll(() => hosts.getByRole('switch', { name: /\./ }).count()).toBe(1);
  await expect.poll(() => hostSwitch('chatgpt.com').getAttribute('aria-checked')).toBe('true');
  await page.getByRole('radio', { name: 'Only on', exact: true }).check({ force: true });
  await hostSwitch('api.mistral.ai').waitFor();
  await expect.poll(() => hosts.getByRole('switch', { name: /\./ }).count()).toBe(3);
  await page.getByRole('button', { name: 'Reset chatgpt.com' }).click();
  await page.getByText('This level will inherit everything.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a whole list is shown as such, and is converted to the differences', async () => {
  const { id } = await enrollDevice(service, 'hardware-whole-list');
  await put('claude.ai');
  await service.byOwner.guard.putLayer({
    body: { layer: 'device', scope: id, config: { intercept_hosts: ['chatgpt.com', 'claude.ai'] } },
  });
  await page.goto(`${service.urls.public}/guard?level=device&scope=${id}`);
  await page.getByRole('button', { name: 'Keep only the differences' }).click();
  await page.getByText('Changes nothing on the 1 device in this scope.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await history().filter({ hasText: 'chatgpt.com on' }).waitFor();
  const layers = await service.byOwner.guard.listLayers();
  expect(layers.results.find(({ scope }) => scope === id)?.config).toEqual({
    host_overrides: { 'chatgpt.com': true },
  });
});

test('all hosts of a provider are enabled at once', async () => {
  await page.goto(`${service.urls.public}/guard?search=mistral`);
  await page.getByRole('button', { name: 'Enable all of Mistral' }).first().click();
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('Turned on').waitFor();
  await page.getByRole('button', { name: 'Disable all of Mistral' }).first().waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a host that cannot be captured is refused with the reason', async () => {
  await page.goto(`${service.urls.public}/guard?search=gmail.com`);
  await page.getByText(/^Only the AI hosts of the catalog can be captured, and never a/).waitFor();
  await page.goto(`${service.urls.public}/guard?search=azure`);
  const field = page.getByLabel('Your host for *.openai.azure.com');
  await field.fill('xn--foo');
  await field.press('Enter');
  expect(await field.inputValue()).toBe('xn--foo');
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.patternMismatch)).toBe(
    true,
  );
});

test('saving keeps what another tab has saved in the meantime', async () => {
  await put('claude.ai');
  await page.goto(`${service.urls.public}/guard?search=mistral`);
  await hostSwitch('api.mistral.ai').click();
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const turnedOn = bar.getByRole('list', { name: 'Difference' });
  await expect.poll(() => turnedOn.textContent()).toBe('Turned on (1): api.mistral.ai');
  await put('chat.mistral.ai', 'claude.ai');
  await expect.poll(() => hostSwitch('chat.mistral.ai').getAttribute('aria-checked')).toBe('true');
  await expect.poll(() => turnedOn.textContent()).toBe('Turned on (1): api.mistral.ai');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await bar.waitFor({ state: 'detached' });
  expect(await hosts()).toEqual(['api.mistral.ai', 'chat.mistral.ai', 'claude.ai']);
});
