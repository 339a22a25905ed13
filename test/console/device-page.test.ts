// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole, signIn } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';
import { PASSWORD } from '../support/users.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

const heartbeat = { agent_version: '1', applied_version: 1, queued: 0, dropped: 0, problems: [] };

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  await service.byOwner.guard.putLayer({
    body: { layer: 'global', config: { capture_enabled: true, intercept_hosts: ['claude.ai'] } },
  });
  browser = await launchChromium();
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const open = async (page: Page, id: string): Promise<void> => {
  await page.goto(`${service.urls.public}/devices/${id}`);
  await page.getByRole('region', { name: 'Effective configuration' }).waitFor();
};
const configuration = () => page.getByRole('region', { name: 'Effective configuration' });

test('the state of capture leaves room for the name of the device on a phone', async () => {
  const { id, client } = await enrollDevice(service, 'hardware-paused');
  const started_at = new Date(Date.now() - 60_000).toISOString();
  const pause = { id: 'pause-1', user: 'ada', started_at, minutes: 30 };
  await client.device.heartbeat({
    body: { ...heartbeat, pauses: [{ ...pause, ended_at: null, ended_by: null }] },
  });
  await page.setViewportSize({ width: 390, height: 900 });
  await open(page, id);
  const state = page.getByText(/^Capture paused until \d+:\d+ UTC by ada$/);
  await state.waitFor();
  const [title, paused] = await Promise.all([
    page.getByRole('heading', { name: 'macbook-ada', level: 1 }).boundingBox(),
    state.boundingBox(),
  ]);
  expect(title?.width).toBeGreaterThan(80);
  expect(paused?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('nothing is captured on a revoked device, and its layer in Guard changes nothing', async () => {
  const { id } = await enrollDevice(service, 'hardware-revoked');
  await service.byOwner.enrollment.revokeDevice({ params: { id }, body: {} });
  await open(page, id);
  await configuration().getByText('The device is revoked: nothing is decrypted').waitFor();
  expect(await configuration().textContent()).not.toContain('Capture is on');
  await page.goto(`${service.urls.public}/guard?level=device&scope=${id}&search=mistral`);
  await page.getByRole('switch', { name: 'api.mistral.ai' }).click();
  await page.getByText('Changes nothing until the device is restored.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('viewers get no link to captures, which they may not read, and none that says change', async () => {
  const { id } = await enrollDevice(service, 'hardware-viewed');
  const user = { email: 'viewer@example.test', password: PASSWORD };
  await service.byOwner.identity.createUser({
    body: { ...user, role: 'viewer', must_change_password: false },
  });
  const viewer = await browser.newPage();
  await viewer.goto(service.urls.public);
  await signIn(viewer, user);
  await viewer.getByRole('navigation', { name: 'Main' }).waitFor();
  await open(viewer, id);
  const links = await viewer.locator('#content').getByRole('link').allTextContents();
  expect(links).toEqual(['Devices', 'Incidents', 'Show in Guard']);
  await viewer.close();
});
