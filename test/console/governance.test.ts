// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { buildConsole, signIn } from '../support/console.ts';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { freePort, run, type Program } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

let service: TestControlPlane;
let browser: Browser;
/** Signed in as the owner. */
let page: Page;

beforeAll(async () => {
  await buildConsole();
  service = await startTestControlPlane('sqlite');
  browser = await launchChromium();
  page = await newPage(OWNER);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** In a browser context of its own, so that users do not share a session. */
async function newPage(
  user: { email: string; password: string },
  { urls } = service,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(urls.public);
  await signIn(page, user);
  return page;
}

const open = (path: string, on = page) => on.goto(service.urls.public + path);
const rowsOf = (name: string, on = page): Locator =>
  on.getByRole('table', { name, exact: true }).locator('tbody tr:not(.detail)');
const press = (name: string, on: Page | Locator = page) =>
  on.getByRole('button', { name, exact: true }).click();
const openDetails = (row: Locator) => row.getByRole('button', { name: /^Details of/ }).click();
const dialog = () => page.getByRole('dialog');

const createPolicy = (body: { name: string; category: string; rules: Record<string, unknown> }) =>
  service.byKey.policies.createPolicy({ body });

async function startRun(agent_name: string) {
  const { run_id } = await service.byKey.recording.startRun({ body: { agent_name } });
  return { run_id };
}

describe('policy evaluations', () => {
  let params: { run_id: string };
  beforeAll(async () => {
    const rules = { blocked_tools: ['shell'] };
    await createPolicy({ name: 'No shells', category: 'tool-allowlist', rules });
    params = await startRun('worker');
    for (const name of ['shell', 'search'])
      await service.byKey.recording.recordSpans({
        params,
        body: { spans: [{ name, kind: 'tool' }] },
      });
  });

  test('appear in the Governance tab of the run', async () => {
    await open(`/runs/${params.run_id}`);
    await page.getByRole('tab', { name: 'Governance' }).click();
    await page.waitForURL(/tab=governance/);
    const blocked = rowsOf('Evaluations').filter({ hasText: "'shell' is blocked" });
    await blocked.waitFor();
    expect(await blocked.textContent()).toMatch(/No shells.*During run.*block.*1/);
    expect(await rowsOf('Incidents').count()).toBe(1);
  });

  test('an incident is acknowledged with a note, resolved and reopened', async () => {
    await open('/incidents?status=open&action=block');
    const link = page.getByRole('link', { name: /^Incidents/ });
    await link.getByText('1', { exact: true }).waitFor();
    await rowsOf('Incidents').filter({ hasText: 'No shells' }).click();
    const panel = page.getByRole('region', { name: 'No shells' });
    await openDetails(rowsOf('Occurrences'));
    await panel.getByLabel('Note').fill('looking into it');
    await press('Acknowledge', panel);
    await page.getByText('No incident matches these filters').waitFor();
    await link.getByText('1', { exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('');
    await openDetails(rowsOf('Occurrences'));
    expect(await panel.getByLabel('Note').inputValue()).toBe('looking into it');
    await press('Resolve', panel);
    await rowsOf('Occurrences').getByText('Resolved').waitFor();
    await press('Reopen', panel);
    await rowsOf('Occurrences').getByText('Open').waitFor();
    const { results } = await service.byOwner.incidents.listIncidents({ query: {} });
    expect(results[0]).toMatchObject({ status: 'open', note: 'looking into it' });
  });

  test('before a run appear among all evaluations', async () => {
    const body = { agent_name: 'checker', tools: ['shell'] };
    await service.byKey.evaluations.checkPolicy({ body });
    await open('/incidents?tab=evaluations&phase=before_workflow&agent=checker');
    await openDetails(rowsOf('Evaluations'));
    await page.getByText('evaluated before the run').waitFor();
  });
});

describe('a policy', () => {
  test('is created with the form of its category; errors are shown at their fields', async () => {
    await open('/policies');
    await press('Create policy');
    await page.getByLabel('Name', { exact: true }).fill('Steady pace');
    await page.getByRole('radio', { name: /^Rate limit/ }).check();
    await page.getByLabel('Max per hour').fill('many');
    await page.getByRole('textbox', { name: 'Agents' }).fill('paced');
    await press('Create policy');
    await page.getByText('Correct the marked fields.').waitFor();
    const field = page.getByLabel('Max per hour');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Enter a number.');
    await field.fill('20');
    await page.getByLabel('Max per minute').fill('');
    await press('Create policy');
    await page.getByRole('heading', { level: 1, name: 'Steady pace' }).waitFor();
    const { results } = await service.byKey.policies.listPolicies({
      query: { category: 'rate-limit' },
    });
    expect(results[0]).toMatchObject({ scope: { agents: ['paced'] } });
    expect(results[0]?.rules).toEqual({
      max_per_hour: 20,
      max_concurrent: 5,
      burst_window_seconds: 10,
    });
  });

  test('is tested before it is saved, and every version can be restored', async () => {
    for (let i = 0; i < 3; i += 1) await startRun('paced');
    await open('/policies');
    await page.getByRole('link', { name: 'Steady pace' }).click();
    await page.getByLabel('Max per hour').fill('2');
    await press('Test on past runs');
    await page.getByText('would have affected 1 of the 3').waitFor();
    expect(await rowsOf('By agent').textContent()).toContain('paced');
    expect(await rowsOf('Examples').textContent()).toContain('Per-hour limit reached');
    await page.getByLabel('Change note').fill('too fast');
    await press('Save');
    await page.getByRole('form', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Versions' }).click();
    const changed = rowsOf('Versions').first();
    await changed.getByText('too fast').waitFor();
    await press('Restore', rowsOf('Versions').nth(1));
    await press('Restore', dialog());
    await rowsOf('Versions').nth(2).waitFor();
    await page.getByRole('tab', { name: 'Policy', exact: true }).click();
    await expect.poll(() => page.getByLabel('Max per hour').inputValue()).toBe('20');
  });

  test('a concurrent change is rejected, not overwritten', async () => {
    const rules = { timeout_seconds: 10 };
    const { id } = await createPolicy({ name: 'Contested', category: 'operations', rules });
    await open(`/policies/${id}`);
    await page.getByLabel('Timeout, s').fill('20');
    await service.byKey.policies.updatePolicy({
      params: { id },
      body: { rules: { timeout_seconds: 30 } },
    });
    await press('Save');
    await page
      .getByRole('alert')
      .getByText(/version/i)
      .waitFor();
    await press('Discard');
    await expect.poll(() => page.getByLabel('Timeout, s').inputValue()).toBe('30');
  });

  test('is disabled in the list, and deleted after a confirmation', async () => {
    const { id } = await createPolicy({ name: 'Brief', category: 'operations', rules: {} });
    await open('/policies?category=operations');
    const enabled = page.getByRole('switch', { name: 'Brief is enabled' });
    await enabled.click();
    await dialog().getByLabel('Note (optional)').fill('over the weekend');
    await press('Turn off', dialog());
    await expect.poll(() => enabled.getAttribute('aria-checked')).toBe('false');
    expect((await service.byKey.policies.getPolicy({ params: { id } })).enabled).toBe(false);
    await page.getByRole('link', { name: 'Brief' }).click();
    await press('Delete');
    await press('Delete policy', dialog());
    await page.waitForURL(/\/policies$/);
    await expect(service.byKey.policies.getPolicy({ params: { id } })).rejects.toThrow(
      /Brief|pol_/,
    );
  });

  test('has independent radio groups with the same options', async () => {
    await open('/policies/new');
    await page.getByRole('radio', { name: /^Content/ }).check();
    const block = (of: string) =>
      page.getByRole('group', { name: of }).getByRole('radio', { name: 'Block' });
    await block('PII detection').check();
    await block('Credential detection').check();
    expect(await block('PII detection').isChecked()).toBe(true);
  });

  test('nested rules are saved and loaded unchanged', async () => {
    const rules = {
      allowed_hours: { start: 8, end: 18 },
      maintenance_windows: [{ day: 6, start: 1, end: 3 }],
    };
    const { id } = await createPolicy({ name: 'Office hours', category: 'scheduling', rules });
    await open(`/policies/${id}`);
    await press('Add to Maintenance windows');
    const second = page.getByRole('group', { name: 'Maintenance windows 2' });
    await second.getByLabel('Weekday').selectOption('Saturday');
    await second.getByLabel('From').selectOption('07:00');
    await second.getByLabel('To').selectOption('07:00');
    await press('Save');
    await second.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
    await second.getByLabel('To').selectOption('09:00');
    await press('Save');
    await page.getByRole('form', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const stored = await service.byKey.policies.getPolicy({ params: { id } });
    expect(stored.rules).toMatchObject({
      allowed_hours: { start: 8, end: 18 },
      maintenance_windows: [
        { day: 6, start: 1, end: 3 },
        { day: 5, start: 7, end: 9 },
      ],
    });
    await service.byKey.policies.deletePolicy({ params: { id }, query: {} });
  });
});

test('approval requests are approved and denied, with a note', async () => {
  const rules = { require_approval_for: ['deploy', 'erase'] };
  await createPolicy({ name: 'Ask first', category: 'approval', rules });
  for (const action_type of ['deploy', 'erase'])
    await service.byKey.evaluations.checkPolicy({ body: { agent_name: 'deployer', action_type } });
  await open('/approvals?status=pending');
  await page
    .getByRole('link', { name: /^Approvals/ })
    .getByText('2')
    .waitFor();
  await rowsOf('Approvals')
    .filter({ hasText: 'erase' })
    .getByRole('button', { name: /^Deny erase/ })
    .click();
  await rowsOf('Approvals').filter({ hasText: 'erase' }).waitFor({ state: 'detached' });
  await openDetails(rowsOf('Approvals').filter({ hasText: 'deploy' }));
  await page.getByLabel('Comment', { exact: true }).fill('go ahead');
  await press('Approve');
  await page.getByText('No pending requests').waitFor();
  const { results } = await service.byOwner.approvals.listApprovals({ query: {} });
  expect(results.map(({ action_type, status, note }) => [action_type, status, note])).toEqual(
    expect.arrayContaining([
      ['erase', 'denied', ''],
      ['deploy', 'approved', 'go ahead'],
    ]),
  );
});

describe('users', () => {
  const email = 'grace@example.test';
  const password = 'a long password of grace';
  let theirs: Page;

  test('a user is created with an initial password, which must be changed at first sign-in', async () => {
    await open('/settings/members');
    await press('Create user');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await press('Create', dialog());
    const initial = await page.getByLabel('Initial password').inputValue();
    await press('Done');
    await rowsOf('Members').filter({ hasText: email }).getByText('Must change').waitFor();

    theirs = await newPage({ email, password: initial });
    await theirs.getByRole('heading', { name: 'Change your password' }).waitFor();
    await theirs.getByLabel('Current password').fill(initial);
    await theirs.getByLabel('New password', { exact: true }).fill('password1234');
    await theirs.getByLabel('Confirm new password').fill('password1234');
    await press('Change password', theirs);
    await theirs.getByRole('alert').getByText('common password').waitFor();
    await theirs.getByLabel('New password', { exact: true }).fill(password);
    await theirs.getByText('The passwords do not match.').waitFor();
    await theirs.getByLabel('Confirm new password').fill(password);
    await press('Change password', theirs);
    await theirs.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('actions that the role does not permit are hidden or disabled', async () => {
    await open('/policies', theirs);
    await rowsOf('Policies', theirs).first().waitFor();
    expect(await theirs.getByRole('button', { name: 'Create policy' }).count()).toBe(0);
    expect(await theirs.getByRole('switch').first().isDisabled()).toBe(true);
    await rowsOf('Policies', theirs).first().getByRole('link').first().click();
    expect(await theirs.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    expect(await theirs.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    const links = await theirs.getByRole('navigation', { name: 'Main' }).textContent();
    expect(links).not.toMatch(/Members|Audit|Sub-tenants|API keys/);
    await open('/audit', theirs);
    await theirs.getByText('Audit log: admin role required').waitFor();
    await open('/incidents', theirs);
    await rowsOf('Incidents', theirs).first().click();
    await openDetails(rowsOf('Occurrences', theirs).first());
    expect(await theirs.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    expect(await theirs.getByRole('checkbox').count()).toBe(0);
  });

  test('a user revokes their other sessions', async () => {
    const second = await newPage({ email, password });
    await second.getByRole('navigation', { name: 'Main' }).waitFor();
    await open('/account', theirs);
    await rowsOf('Active sessions', theirs).nth(1).waitFor();
    await press('Revoke', theirs);
    await rowsOf('Active sessions', theirs).nth(1).waitFor({ state: 'detached' });
    await second.reload();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('a user gets another role, is disabled and deleted', async () => {
    await open('/settings/members');
    const row = rowsOf('Members').filter({ hasText: email });
    await openDetails(row);
    await page.getByLabel('Role', { exact: true }).selectOption('analyst');
    await press('Change role');
    await row.getByText('analyst').waitFor();
    await press('Disable');
    await press('Disable', dialog());
    await row.getByText('Disabled').waitFor();
    await press('Enable');
    await row.getByText('Active').waitFor();
    await press('Disable');
    await press('Disable', dialog());
    await row.getByText('Disabled').waitFor();
    await theirs.reload();
    await theirs.getByRole('button', { name: 'Sign in' }).waitFor();
    await press('Delete');
    await press('Delete user', dialog());
    await row.waitFor({ state: 'detached' });
  });
});

test('an API key is rotated: both keys are valid during the overlap', async () => {
  const body = { name: 'of the build', permissions: ['record' as const] };
  const { key } = await service.byKey.identity.createApiKey({ body });
  await open('/settings/api-keys');
  await press('Rotate', rowsOf('API keys').filter({ hasText: body.name }));
  await page.getByLabel('Old key').selectOption({ label: 'keep for 1 hour' });
  await press('Rotate', dialog());
  const rotated = await page.getByLabel('New API key').inputValue();
  await press('Done');
  await rowsOf('API keys').filter({ hasText: body.name }).nth(1).waitFor();
  for (const key_ of [key, rotated]) {
    const client = service.by({ 'X-Svc-Key': key_ });
    await client.recording.startRun({ body: { agent_name: 'builder' } });
  }
});

test('the audit log can be filtered, shows changes, and can be exported', async () => {
  await open('/audit');
  await press('More filters');
  await page.getByLabel('Action, for example policy.*').fill('policy.*');
  await page.getByLabel('Action, for example policy.*').press('Enter');
  await page.waitForURL(/action=policy/);
  await rowsOf('Audit log').filter({ hasText: 'user.' }).first().waitFor({ state: 'detached' });
  const updated = rowsOf('Audit log').filter({ hasText: 'policy.update' });
  await updated.filter({ hasText: OWNER.email }).first().getByText('policy.update').click();
  await page.getByRole('group', { name: 'Before' }).waitFor();
  await page.getByRole('group', { name: 'After' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Actor', { exact: true }).fill('unknown');
  await page.keyboard.press('Enter');
  await page.getByText('No entry matches these filters').waitFor();
  await page.getByLabel('Actor', { exact: true }).fill(OWNER.email);
  await page.keyboard.press('Enter');
  await updated.first().waitFor();
  await page.getByLabel('Export', { exact: true }).click();
  await press('Whole log…');
  await page.getByRole('radio', { name: 'CSV' }).check();
  await press('Export', dialog());
  const link = page.getByRole('link', { name: 'Download' });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('policy.update');
});

test('a sub-tenant is created, gets a quota, is suspended and resumed', async () => {
  await open('/settings/tenants');
  await press('Create sub-tenant');
  await dialog().getByLabel('Name').fill('Acme');
  await dialog().getByLabel('Runs per day').fill('1');
  await press('Create', dialog());
  const key = await page.getByLabel('API key', { exact: true }).inputValue();
  await press('Done');
  const client = service.by({ 'X-Svc-Key': key });
  const start = () => client.recording.startRun({ body: { agent_name: 'theirs' } });
  await start();
  await page.getByRole('link', { name: 'Acme' }).click();
  await page.getByText('of 1', { exact: false }).first().waitFor();
  await expect(start()).rejects.toThrow(/max_agent_runs_per_day/);
  await page.getByLabel('Runs per day').fill('5');
  await press('Save');
  await page.getByText('of 5').waitFor();
  await start();
  await press('Suspend');
  await page.getByLabel('Reason').fill('unpaid');
  await press('Suspend', dialog());
  await page.getByRole('note').getByText('unpaid').waitFor();
  await expect(start()).rejects.toMatchObject({ status: 403 });
  await press('Resume');
  await press('Resume', dialog());
  await page.getByText('Active', { exact: true }).waitFor();
  await start();
});

describe('with an OIDC provider', () => {
  let provider: Program;
  let oidcService: TestControlPlane;
  beforeAll(async () => {
    const port = await freePort();
    oidcService = await startTestControlPlane('sqlite', {
      OIDC_ISSUER: `http://localhost:${port}`,
      OIDC_CLIENT_ID: 'gatehouse',
      OIDC_CLIENT_SECRET: 'shared secret',
      OIDC_ALLOWED_DOMAINS: 'example.test',
    });
    provider = run('test/support/oidc-provider.ts', {
      PORT: String(port),
      REDIRECT_URI: `${oidcService.urls.public}/api/v1/auth/oidc/callback/`,
    });
    await provider.said('provider ready');
  });
  afterAll(async () => {
    await provider?.end();
    await oidcService?.stop();
  });

  test('sign-in returns to the requested page', async () => {
    const context = await browser.newContext();
    const theirs = await context.newPage();
    theirs.setDefaultTimeout(PATIENCE_MS);
    await theirs.goto(`${oidcService.urls.public}/incidents?status=open`);
    await theirs.getByRole('link', { name: /Sign in with localhost:\d+/ }).click();
    await theirs.locator('input[name=login]').fill('ada@example.test');
    await theirs.locator('input[name=password]').fill('any');
    await theirs.locator('[type=submit]').click();
    await theirs.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    expect(new URL(theirs.url()).search).toBe('?status=open');
    await theirs.getByRole('link', { name: /ada@example.test/ }).click();
    await theirs.getByText('OpenID Connect').waitFor();
    await context.close();
  });

  test('a password that expires during a session must be changed to continue', async () => {
    const user = { email: 'grace@example.test', password: 'a long password of grace' };
    const { identity } = oidcService.byOwner;
    await identity.createUser({ body: { ...user, role: 'viewer', must_change_password: false } });
    await identity.putIdentitySettings({ body: { password_max_age_days: 1 } });
    const hour = 3_600_000;
    const created = Date.now();
    oidcService.setTime(created + 20 * hour);
    const theirs = await newPage(user, oidcService);
    await theirs.getByRole('link', { name: 'Incidents' }).click();
    await theirs.getByText('No incidents').waitFor();
    oidcService.setTime(created + 25 * hour);
    await theirs.getByRole('link', { name: 'Runs' }).click();
    await theirs.getByRole('heading', { name: 'Change your password' }).waitFor();
    await theirs.context().close();
  });
});
