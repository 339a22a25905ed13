// @module-tag chromium

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { type HttpReceiver, startHttpReceiver } from '../support/receivers.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let service: TestControlPlane;
let receiver: HttpReceiver;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  service = await startTestControlPlane('sqlite', { NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8' });
  browser = await launchChromium();
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await receiver?.stop();
});

const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function violations(on = page): Promise<string[]> {
  await on.evaluate(axe);
  const { violations } = await on.evaluate<AxeResults>(() =>
    (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

test('the empty page offers the first channel, whose secret is shown once', async () => {
  await page.goto(`${service.urls.public}/notifications`);
  await button('Add the first channel').click();
  await dialog().getByRole('radio', { name: 'Webhook' }).check({ force: true });
  await dialog().getByLabel('Name').fill('On call');
  await dialog().getByLabel('URL').fill(`${receiver.url}/hook`);
  expect(await violations()).toEqual([]);
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await dialog().getByLabel('Signing secret').inputValue();
  expect(secret).toMatch(/^whsec_/);
  await dialog().getByRole('button', { name: 'Done' }).click();
  await button('Add the first rule').waitFor();
});

test("a test message shows the receiver's response", async () => {
  await page.getByRole('tab', { name: 'Channels' }).click();
  await button('Send test On call').click();
  await dialog().getByText('The receiver accepted it').waitFor();
  await dialog().getByText('HTTP 200 OK: ok').waitFor();
  receiver.respondWith({ status: 500, body: 'no' });
  await dialog().getByRole('button', { name: 'Send again' }).click();
  await dialog().getByText('answered HTTP 500 Internal Server Error: no').waitFor();
  receiver.respondWith({ status: 200, body: 'ok' });
  await dialog().getByRole('button', { name: 'Done' }).click();
});

test('a rule is added with quiet hours, changed and disabled', async () => {
  await page.getByRole('tab', { name: 'Rules' }).click();
  await button('Add the first rule').click();
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Approvals');
  await dialog().getByRole('checkbox', { name: 'Incident raised' }).uncheck();
  await dialog().getByLabel('Collect for (seconds)').fill('5');
  await dialog()
    .getByRole('checkbox', { name: /^Decide from a link/ })
    .check();
  await dialog().getByRole('checkbox', { name: 'Quiet hours' }).check();
  await dialog().getByRole('checkbox', { name: 'Sat' }).uncheck({ force: true });
  await dialog().getByRole('checkbox', { name: 'Sun' }).uncheck({ force: true });
  await dialog().getByLabel('From', { exact: true }).fill('23:00');
  expect(await violations()).toEqual([]);
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('table', { name: 'Notification rules' }).locator('tbody tr');
  await row.getByText('Mon–Fri 23:00–07:00').waitFor();
  await button('Edit Approvals').click();
  await dialog().getByRole('checkbox', { name: 'Quiet hours' }).uncheck();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await row.getByText('Mon–Fri 23:00–07:00').waitFor({ state: 'detached' });
  const on = page.getByRole('switch', { name: 'Approvals is on' });
  await on.click();
  await page.locator('[role=switch][aria-checked=false]').waitFor();
  await on.click();
  await page.locator('[role=switch][aria-checked=true]').waitFor();
  const rules = async () => (await service.byKey.notifications.listNotificationRules()).results;
  await expect
    .poll(rules)
    .toMatchObject([
      { events: ['approval.requested'], quiet_hours: null, decide_by_link: true, enabled: true },
    ]);
});

test('a request is decided from its link without a sign-in, and only by a click', async () => {
  await service.byKey.policies.createPolicy({
    body: { name: 'Releases', category: 'approval', rules: { require_approval_for: ['deploy'] } },
  });
  const body = { agent_name: 'releaser', workflow_name: 'deploy' };
  const { metadata } = await service.byKey.evaluations.checkPolicy({ body });
  const requests = await receiver.waitForRequests(3, '/hook');
  const message = JSON.parse(requests.at(-1)!.body) as {
    data: { events: { decide_url: string }[] };
  };
  const visitor = await browser.newPage({ viewport: { width: 390, height: 800 } });
  const decide_url = message.data.events[0]!.decide_url;
  await visitor.goto(decide_url);
  await visitor.getByRole('heading', { name: 'Approval requested' }).waitFor();
  await visitor.getByText('channel On call').waitFor();
  expect(await violations(visitor)).toEqual([]);
  const params = { id: metadata.approval_id as string };
  expect((await service.byKey.approvals.getApproval({ params })).status).toBe('pending');
  await visitor.getByLabel('Note').fill('go');
  await visitor.getByRole('button', { name: 'Approve' }).click();
  await visitor.getByRole('heading', { name: 'Request approved' }).waitFor();
  expect(await service.byKey.approvals.getApproval({ params })).toMatchObject({
    status: 'approved',
    decided_by: 'channel On call',
    note: 'go',
  });
  await visitor.goto(`${service.urls.public}/decide#forged`);
  await visitor.reload();
  await visitor.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
  await visitor.close();
});

test('the delivery log contains the message, which can be sent again', async () => {
  await page.getByRole('tab', { name: 'Delivery log' }).click();
  const row = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr').first();
  await row.getByText('Sent').waitFor();
  await page.getByRole('button', { name: /^Details of/ }).click();
  const before = receiver.requests.length;
  await button('Send again').click();
  const requests = await receiver.waitForRequests(before + 1);
  expect(requests.at(-1)?.headers['webhook-id']).toBe(requests.at(-2)?.headers['webhook-id']);
});
