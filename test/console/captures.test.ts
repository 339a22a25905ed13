// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseId, chatCapture } from '../support/captured-exchange.ts';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';

let service: TestControlPlane;
let device: TestDevice;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  device = await enrollDevice(service, 'hardware-console', { hosts: 'api.openai.com' });
  browser = await launchChromium();
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const capture = (id: string) => {
  // A future start is clamped to now, when the hosts of the profile are captured.
  const soon = new Date(Date.now() + 60_000).toISOString();
  const captures = [chatCapture(id, soon, { id: responseId(id) })];
  return device.client.device.reportCaptures({ body: { batch_id: `batch-${id}`, captures } });
};
const rules = () => page.getByRole('table', { name: 'Agents' }).locator('tbody tr');
const dialog = () => page.getByRole('dialog');

test('a capture links to its run, and the run to the device and the capture', async () => {
  await capture('first');
  await page.goto(`${service.urls.public}/captures`);
  await page.getByRole('table', { name: 'Captures' }).getByText('api.openai.com').first().click();
  await page.getByRole('link', { name: /^Run \d+$/ }).click();
  await page.getByRole('heading', { name: /^Run \d+$/ }).waitFor();
  const fact = page.locator('dl > div').filter({ hasText: 'Captured on' });
  await expect.poll(() => fact.textContent()).toBe('Captured onmacbook-ada (exchange)');
  const href = await fact.getByRole('link', { name: 'macbook-ada' }).getAttribute('href');
  expect(href).toBe(`/devices/${device.id}`);
  await fact.getByRole('link', { name: 'exchange' }).click();
  await page.getByRole('region', { name: 'Capture' }).getByText('Where is my order?').waitFor();
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await breadcrumb.getByRole('link', { name: 'Captures' }).click();
  await page.getByRole('table', { name: 'Captures' }).waitFor();
});

test('the page of a capture names its device, app, model and status', async () => {
  await page.goto(`${service.urls.public}/captures`);
  await page.getByRole('table', { name: 'Captures' }).getByText('api.openai.com').first().click();
  await page.getByRole('link', { name: 'Open page' }).click();
  const facts = page.getByRole('region', { name: 'Capture' }).locator('dl');
  const valueOf = (name: string) =>
    facts.locator('div', { has: page.getByText(name, { exact: true }) }).locator('dd');
  await expect.poll(() => valueOf('App').textContent()).toBe('codex');
  expect(await valueOf('Status').textContent()).toBe('200');
  expect(await valueOf('Model').textContent()).toBe('–');
  const device_link = valueOf('Device').getByRole('link', { name: 'macbook-ada' });
  expect(await device_link.getAttribute('href')).toBe(`/devices/${device.id}`);
});

test('an admin sets, changes and removes the agent of captures', async () => {
  await page.goto(`${service.urls.public}/captures`);
  await page.getByRole('tab', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Set agent' }).click();
  await dialog().getByLabel('App').fill('codex');
  await dialog().getByLabel('Device').selectOption({ label: 'macbook-ada (ada)' });
  await dialog().getByLabel('Agent').fill('coding');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  await expect
    .poll(() => rules().textContent())
    .toMatch(/^codexmacbook-adacoding.*owner@example\.test/);
  await capture('second');
  const { count } = await service.byOwner.runs.listRuns({ query: { agent: 'coding' } });
  expect(count).toBe(1);

  await rules().getByRole('button', { name: 'Change' }).click();
  await dialog().getByText('For codex on macbook-ada').waitFor();
  await dialog().getByRole('radio', { name: 'Create no runs' }).check({ force: true });
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  await rules().filter({ hasText: 'no runs' }).waitFor();

  await rules().getByRole('button', { name: 'Remove' }).click();
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await dialog().waitFor({ state: 'detached' });
  await rules().waitFor({ state: 'detached' });
});
