// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  await service.byKey.policies.createPolicy({
    body: {
      name: 'Ask first',
      category: 'approval',
      rules: { require_approval_for: ['deploy'], approvers: ['ada@example.test'] },
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

let made = 0;
/** Requests an approval; returns the name of the agent. */
async function requestApproval(): Promise<string> {
  const agent_name = `agent-${(made += 1)}`;
  await service.byKey.evaluations.checkPolicy({
    body: {
      agent_name,
      action_type: 'deploy',
      inputs: { ticket: 'OPS-17' },
      tool_calls: [{ name: 'release', arguments: { version: agent_name } }],
      estimated_cost: 1.5,
      risk_level: 'high',
    },
  });
  return agent_name;
}

beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/approvals`);
  await page.getByText('No pending requests').waitFor();
});

afterEach(() => page.close());

const row = (agent: string) =>
  page.getByRole('table', { name: 'Approvals' }).locator('tbody tr').filter({ hasText: agent });
const stored = async (agent: string) =>
  (await service.byOwner.approvals.listApprovals({ query: { agent } })).results[0];

test('a request appears live with the requested action, and is denied with a comment', async () => {
  const agent = await requestApproval();
  await row(agent).getByText(`release {"version":"${agent}"}`).waitFor();
  await expect
    .poll(() => row(agent).textContent())
    .toMatch(/\$1\.50.*high.*ada@example\.test, and owners/);
  await row(agent)
    .getByRole('button', { name: /^Details of deploy/ })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByText('OPS-17').waitFor();
  await page.getByText('Tool call: release').first().waitFor();
  await page.getByLabel('Comment', { exact: true }).fill('not on Friday');
  await page.getByRole('button', { name: 'Deny', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No pending requests').waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await row(agent).getByText('Denied').waitFor();
  await expect.poll(() => row(agent).textContent()).toContain('not on Friday');
});

test('several requests are approved at once with the keyboard', async () => {
  const agents = [await requestApproval(), await requestApproval(), await requestApproval()];
  for (const agent of agents) await row(agent).waitFor();
  for (const agent of agents.slice(0, 2)) {
    await row(agent).getByRole('checkbox').focus();
    await page.keyboard.press('Space');
  }
  const bar = page.getByRole('group', { name: 'Decide selected requests' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByLabel('Comment on the decision').fill('release day');
  await bar.getByRole('button', { name: 'Approve selected' }).focus();
  await page.keyboard.press('Enter');
  // Each request is decided separately.
  for (const agent of agents.slice(0, 2)) await row(agent).waitFor({ state: 'detached' });
  for (const agent of agents.slice(0, 2))
    expect(await stored(agent)).toMatchObject({ status: 'approved', note: 'release day' });
  await row(agents[2] ?? '')
    .getByRole('button', { name: /^Approve deploy/ })
    .click();
  await page.getByText('No pending requests').waitFor();
  expect(await stored(agents[2] ?? '')).toMatchObject({ status: 'approved', note: '' });
});

test('the remaining time has the exact time as a tooltip, and a request decided elsewhere leaves the list', async () => {
  const agent = await requestApproval();
  const left = row(agent).locator('td', { hasText: 'min' }).getByRole('time').last();
  await expect.poll(() => left.getAttribute('title')).toMatch(/\d{4}.*\d{2}:\d{2}/);
  const id = (await stored(agent))?.id ?? '';
  await service.byOwner.approvals.deny({ params: { id }, body: {} });
  await page.getByText('No pending requests').waitFor();
});
