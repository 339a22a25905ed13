// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole, signIn } from '../support/console.ts';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

let service: TestControlPlane;
let browser: Browser;
/** A page that is signed in as the owner. */
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const open = (path: string, on = page) => on.goto(service.urls.public + path);
const title = (name: string, on = page) =>
  on.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const rowsOf = (name: string): Locator =>
  page.getByRole('table', { name, exact: true }).locator('tbody tr');
const press = (name: string, on: Page | Locator = page) =>
  on.getByRole('button', { name, exact: true }).click();
const dialog = () => page.getByRole('dialog');

test('the sidebar has one entry for settings, whose pages link to each other', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').click();
  await title('Members');
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  const names = await links.allTextContents();
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    await links.getByText(name, { exact: true }).click();
    await page.locator('h1').waitFor();
    await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
    await expect
      .poll(() => page.locator('.settings-nav [aria-current=page]').textContent())
      .toBe(name);
  }
});

test('all links of the sidebar are visible in a window of 850 pixels', async () => {
  await page.setViewportSize({ width: 1280, height: 850 });
  const hidden = await page
    .getByRole('navigation', { name: 'Main' })
    .evaluate((nav) => nav.scrollHeight - nav.clientHeight);
  expect(hidden).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('earlier addresses redirect to the settings', async () => {
  for (const [path, name] of [
    ['/access', 'Members'],
    ['/api-keys', 'API keys'],
    ['/sub-tenants', 'Sub-tenants'],
  ] as const) {
    await open(path);
    await title(name);
    expect(page.url()).toContain('/settings/');
  }
});

test('the sign-in rules are shown, and that no provider is configured', async () => {
  await open('/settings/sign-in');
  const provider = page.getByRole('region', { name: 'Single sign-on' });
  await provider.getByText('Not configured').waitFor();
  await page.getByText('12 to 1,024 characters').waitFor();
  await page.getByLabel('Password expiry, days').fill('90');
  await press('Save');
  await expect
    .poll(async () => (await service.byOwner.identity.getIdentitySettings()).password_max_age_days)
    .toBe(90);
});

test('an API key is created with an expiry, and is identified by its first and last characters', async () => {
  await open('/settings/api-keys');
  await press('Create API key');
  await dialog().getByLabel('Name').fill('of the deployment');
  await dialog().getByLabel('record').check();
  await dialog().getByLabel('Expires').selectOption({ label: 'In 7 days' });
  await press('Create', dialog());
  const key = await page.getByLabel('New API key').inputValue();
  await press('Done');
  const row = rowsOf('API keys').filter({ hasText: 'of the deployment' });
  await row.getByText(`${key.slice(0, 11)}…${key.slice(-4)}`).waitFor();
  await row.getByText(OWNER.email).waitFor();
  await row.getByText(/expires in 6 d/).waitFor();
});

test('masking rules are tried before they are saved', async () => {
  await open('/settings/masking');
  await page.getByRole('switch', { name: 'Mask recordings' }).click();
  await page.getByRole('checkbox', { name: 'EMAIL' }).check();
  await press('Add pattern');
  await page.getByLabel('Pattern 1', { exact: true }).fill('\\bEMP-\\d{6}\\b');
  await page.getByLabel('Placeholder of pattern 1').fill('EMPLOYEE_ID');
  await page.getByLabel('Sample').fill('{"from": "maya@example.com", "id": "EMP-123456"}');
  await press('Mask the sample');
  const masked = page.getByRole('group', { name: 'Masked sample' });
  await masked.getByText('##EMAIL##').waitFor();
  await masked.getByText('##EMPLOYEE_ID##').waitFor();
  expect((await service.byOwner.settings.getRecordingSettings()).masking.enabled).toBe(false);
  await press('Save');
  await page.getByText('Saved.').waitFor();
  const { masking } = await service.byOwner.settings.getRecordingSettings();
  expect(masking).toEqual({
    enabled: true,
    builtin: ['EMAIL'],
    keys: [],
    patterns: [{ name: 'EMPLOYEE_ID', pattern: '\\bEMP-\\d{6}\\b' }],
  });
  await press('Add pattern');
  await page.getByLabel('Pattern 2', { exact: true }).fill('(');
  await page.getByLabel('Placeholder of pattern 2').fill('BROKEN');
  await press('Save');
  await page.getByRole('alert').filter({ hasText: 'pattern' }).waitFor();
});

test('a shorter retention needs a confirmation and keeps the masking rules', async () => {
  await open('/settings/retention');
  await page.getByLabel('Keep recordings, days').fill('90');
  await press('Save');
  await dialog().getByText('recordings older than 90 days').waitFor();
  await press('Cancel', dialog());
  expect((await service.byOwner.settings.getRecordingSettings()).retention_days).toBeNull();
  await press('Save');
  await press('Save and delete', dialog());
  await page.getByText('Saved.').waitFor();
  const settings = await service.byOwner.settings.getRecordingSettings();
  expect(settings).toMatchObject({ retention_days: 90, masking: { enabled: true } });
  await page.getByLabel('Keep recordings, days').fill('');
  await press('Save');
  await expect
    .poll(async () => (await service.byOwner.settings.getRecordingSettings()).retention_days)
    .toBeNull();
});

test('a model without a price gets one from the costs page, and its calls are recomputed', async () => {
  const model = 'house/model-1';
  const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
  const call = { model, provider: 'house', tokens_in: 1_000_000, tokens_out: 0 };
  await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
  await open('/costs');
  await page.getByRole('link', { name: `Set price of ${model}` }).click();
  await dialog().getByLabel('Input, $ per million tokens').fill('3');
  await dialog().getByLabel('Output, $ per million tokens').fill('6');
  await press('Save price', dialog());
  await dialog().waitFor({ state: 'detached' });
  const prices = rowsOf('Model prices');
  await prices.filter({ hasText: model }).getByText('Custom price').waitFor();
  await press('Price unpriced calls');
  await page.getByText(/Completed: 1 calls checked, 1 changed/).waitFor();
  const { results } = await service.byOwner.llmCalls.listLlmCalls({ query: { model } });
  expect(results[0]).toMatchObject({ cost: 3, cost_source: 'override' });
  await press(`Remove the custom price of ${model}`);
  await press('Remove', dialog());
  await prices.filter({ hasText: model }).waitFor({ state: 'detached' });
});

test('prices can be searched', async () => {
  await open('/settings/prices');
  await page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-4o-mini');
  await page.waitForURL(/q=gpt-4o-mini/);
  await expect
    .poll(async () => (await rowsOf('Model prices').allTextContents()).join())
    .not.toContain('claude');
  await expect.poll(() => rowsOf('Model prices').count()).toBeGreaterThan(0);
});

test('an end user gets limits, which are changed and removed', async () => {
  await open('/settings/limits');
  await page.getByText('No end user has a limit').waitFor();
  await press('Add limit');
  await dialog().getByLabel('End user', { exact: true }).last().fill('ada@example.com');
  await dialog().getByLabel('Budget per month, $').fill('20');
  await press('Save limit', dialog());
  const row = rowsOf('End-user limits').filter({ hasText: 'ada@example.com' });
  await row.getByText('$20.00').waitFor();
  await press('Edit the limits of ada@example.com');
  await dialog().getByLabel('Requests per minute').fill('5');
  await press('Save limit', dialog());
  await row.getByText('5', { exact: true }).waitFor();
  await press('Remove the limits of ada@example.com');
  await press('Remove', dialog());
  await row.waitFor({ state: 'detached' });
});

test('a root is rotated: created, activated, and the old one retired', async () => {
  await open('/settings/authorities');
  const active = page.getByRole('region', { name: 'Active root' });
  const { results } = await service.byOwner.authorities.listAuthorities();
  const fingerprint = results[0]?.fingerprint ?? '';
  await active.getByText(fingerprint).waitFor();
  await press('Rotate');
  await press('Create root', dialog());
  await page.getByRole('region', { name: 'Next root' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
  await press('Activate');
  await press('Activate', dialog());
  const previous = page.getByRole('region', { name: 'Previous root' });
  await previous.getByText(fingerprint).waitFor();
  await press('Retire', previous);
  await press('Retire', dialog());
  await page.getByRole('region', { name: 'Retired root' }).getByText(fingerprint).waitFor();
});

test('an add-on is cancelled and activated, and the region is changed', async () => {
  await open('/settings/add-ons');
  const insights = page.getByRole('region', { name: 'Insights' });
  await press('Cancel Insights');
  await press('Cancel add-on', dialog());
  await insights.getByText('Not active').waitFor();
  await press('Activate Insights');
  await dialog().getByText('$149.00 a month').waitFor();
  await press('Activate', dialog());
  await insights.getByText('Active', { exact: true }).waitFor();
  await page.getByLabel('Region of the data').selectOption('eu-central');
  await press('Change region');
  await expect
    .poll(async () => (await service.byOwner.enterprise.getTenantRegion()).region.code)
    .toBe('eu-central');
});

test('theme, density and time zone apply at once, on all pages, and are stored', async () => {
  await open('/settings/appearance');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByRole('radio', { name: 'Compact' }).check();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByRole('link', { name: 'Asia/Tokyo' }).waitFor();
  await page.getByText('GMT+9').waitFor();
  await open('/settings/api-keys');
  const used = rowsOf('API keys').locator('time').first();
  await expect.poll(() => used.getAttribute('title')).toContain('GMT+9');
  const readAppearance = () =>
    page.evaluate(() => [
      getComputedStyle(document.documentElement).colorScheme,
      document.documentElement.dataset.density,
    ]);
  await expect.poll(readAppearance).toEqual(['dark', 'compact']);
  await open('/runs');
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Between…' });
  await page.getByLabel('From (Asia/Tokyo)').fill('2026-01-01T09:00');
  await page.waitForURL(/start=2026-01-01T00%3A00%3A00/);
  await open('/settings/appearance');
  await page.getByRole('radio', { name: 'System' }).check();
  await page.getByRole('radio', { name: 'Comfortable' }).check();
  await page.getByLabel('Time zone').selectOption('local');
  await expect.poll(readAppearance).toEqual(['light dark', undefined]);
});

describe('for a viewer', () => {
  let theirs: Page;
  const viewer = { email: 'viewer@example.test', password: 'a long enough pass phrase' };
  beforeAll(async () => {
    await service.byOwner.identity.createUser({
      body: { ...viewer, role: 'viewer', must_change_password: false },
    });
    const context = await browser.newContext();
    theirs = await context.newPage();
    theirs.setDefaultTimeout(PATIENCE_MS);
    await open('/settings', theirs);
    await signIn(theirs, viewer);
  });

  test('the settings have only the pages that a viewer may read, without controls', async () => {
    await title('Masking', theirs);
    const links = theirs.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect
      .poll(() => links.allTextContents())
      .toEqual([
        'Masking',
        'Retention',
        'Model prices',
        'OpenTelemetry',
        'Authorities',
        'Appearance',
      ]);
    await expect.poll(() => theirs.getByRole('switch').isDisabled()).toBe(true);
    expect(await theirs.getByRole('button', { name: 'Mask the sample' }).count()).toBe(0);
    await open('/settings/retention', theirs);
    await expect.poll(() => theirs.getByLabel('Keep recordings, days').isDisabled()).toBe(true);
    await open('/settings/prices', theirs);
    await theirs.getByRole('table', { name: 'Model prices' }).waitFor();
    expect(await theirs.getByRole('button', { name: 'Override' }).count()).toBe(0);
    await open('/settings/authorities', theirs);
    await theirs.getByText('SHA-256').first().waitFor();
    expect(await theirs.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    await open('/settings/opentelemetry', theirs);
    await theirs.getByRole('tab', { name: 'Unmapped' }).waitFor();
    await open('/settings/members', theirs);
    await theirs.getByText('Members: admin role required').waitFor();
  });
});

test('a page that cannot be loaded says so and can be retried', async () => {
  await page.route('**/api/v1/endpoint/authorities/', (route) => route.abort());
  await open('/settings/authorities');
  const notice = page.locator('main').getByRole('alert');
  await notice.waitFor();
  await page.unroute('**/api/v1/endpoint/authorities/');
  await press('Try again');
  await page.getByRole('region', { name: 'Active root' }).waitFor();
});

test('a user with accounts in two tenants switches between them', async () => {
  const { api_key } = await service.byKey.subTenants.createSubTenant({ body: { name: 'Acme' } });
  const acme = { email: 'owner@acme.test', password: 'a long enough pass phrase' };
  await service
    .by({ 'X-Svc-Key': api_key })
    .identity.createUser({ body: { ...acme, role: 'admin', must_change_password: false } });
  const theirs = await openConsole(browser, service);
  await press('Switch tenant', theirs);
  await press('Sign in to another tenant', theirs);
  const form = theirs.getByRole('dialog');
  await form.getByLabel('Email').fill(acme.email);
  await form.getByLabel('Password').fill('not the password');
  await press('Sign in', form);
  await form.getByText(/wrong email or password/i).waitFor();
  await form.getByLabel('Password').fill(acme.password);
  await press('Sign in', form);
  await theirs.getByRole('link', { name: /Acme/ }).waitFor();
  await press('Switch tenant', theirs);
  await form.getByRole('button', { name: OWNER.email }).click();
  await theirs.getByRole('link', { name: new RegExp(OWNER.email) }).waitFor();
  await press('Sign out', theirs);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  const cookies = await theirs.context().cookies();
  expect(cookies.map(({ name }) => name)).not.toContain('svc_held_sessions');
  await theirs.close();
});
