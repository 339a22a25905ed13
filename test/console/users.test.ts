import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { freePort, startProgram, type Program } from '../support/processes.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';
import { setUpConsolePage } from '../support/console-page.ts';

const world = setUpConsolePage();
const { newPage, open, rowsOf, press, dialog } = world;

const openDetails = (row: Locator) => row.getByRole('button', { name: /^Details of/ }).click();

describe('users', () => {
  const email = 'grace@example.test';
  const password = 'a long password of grace';
  let theirs: Page;
  beforeAll(async () => {
    const { policies, recording } = world.service.byKey;
    const rules = { blocked_tools: ['shell'] };
    await policies.createPolicy({ body: { name: 'No shells', category: 'tool-allowlist', rules } });
    const { run_id } = await recording.startRun({ body: { agent_name: 'worker' } });
    const spans = [{ name: 'shell', kind: 'tool' as const }];
    await recording.recordSpans({ params: { run_id }, body: { spans } });
  });

  test('a user is created with an initial password, which must be changed at first sign-in', async () => {
    await open('/settings/members');
    await press('Create user');
    await world.page.getByLabel('Email').fill(email);
    await world.page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await press('Create', dialog());
    const initial = await world.page.getByLabel('Initial password').inputValue();
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
    await expect.poll(() => theirs.getByRole('switch').first().isDisabled()).toBe(true);
    await rowsOf('Policies', theirs).first().getByRole('link').first().click();
    await expect.poll(() => theirs.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
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

  test('a user revokes all their other sessions', async () => {
    const second = await newPage({ email, password });
    await second.getByRole('navigation', { name: 'Main' }).waitFor();
    await open('/account', theirs);
    await rowsOf('Active sessions', theirs).nth(1).waitFor();
    await press('Revoke', theirs);
    await rowsOf('Active sessions', theirs).nth(1).waitFor({ state: 'detached' });
    await second.reload();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('a user gets another role, is disabled and is deleted', async () => {
    await open('/settings/members');
    const row = rowsOf('Members').filter({ hasText: email });
    await openDetails(row);
    await world.page.getByLabel('Role', { exact: true }).selectOption('analyst');
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
  const { key } = await world.service.byKey.identity.createApiKey({ body });
  await open('/settings/api-keys');
  await press('Rotate', rowsOf('API keys').filter({ hasText: body.name }));
  await world.page.getByLabel('Old key').selectOption({ label: 'keep for 1 hour' });
  await press('Rotate', dialog());
  const rotated = await world.page.getByLabel('New API key').inputValue();
  await press('Done');
  await rowsOf('API keys').filter({ hasText: body.name }).nth(1).waitFor();
  for (const key_ of [key, rotated]) {
    const client = world.service.by({ 'X-Svc-Key': key_ });
    await client.recording.startRun({ body: { agent_name: 'builder' } });
  }
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
    provider = startProgram('test/support/oidc-provider.ts', {
      PORT: String(port),
      REDIRECT_URI: `${oidcService.urls.public}/api/v1/auth/oidc/callback/`,
    });
    await provider.waitForOutput('provider ready');
  });
  afterAll(async () => {
    await provider?.stop();
    await oidcService?.stop();
  });

  test('sign-in returns to the requested page', async () => {
    const context = await world.browser.newContext();
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
