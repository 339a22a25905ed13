// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole, signIn } from '../support/console.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

const ACME = { email: 'ada@acme.test', password: 'a long enough pass phrase' };

let service: TestControlPlane;
let browser: Browser;
let page: Page;
let params: { sub_tenant_id: string };

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const { id, api_key } = await service.byKey.subTenants.createSubTenant({
    body: { name: 'Acme' },
  });
  params = { sub_tenant_id: id };
  await service
    .by({ 'X-Svc-Key': api_key })
    .identity.createUser({ body: { ...ACME, role: 'admin', must_change_password: false } });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Signs in to both tenants, with the sub-tenant's account in use. */
beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.getByRole('button', { name: 'Switch tenant' }).click();
  await page.getByRole('button', { name: 'Sign in to another tenant' }).click();
  await page.getByLabel('Email').fill(ACME.email);
  await page.getByLabel('Password', { exact: true }).fill(ACME.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
  await account().getByText('Acme', { exact: true }).waitFor();
});

afterEach(async () => {
  const { status } = await service.byKey.subTenants.getSubTenant({ params });
  if (status === 'suspended') await resume();
  await page.close();
});

const account = () => page.getByRole('link', { name: /Acme/ });
const suspend = () => service.byKey.subTenants.suspendSubTenant({ params, body: {} });
const resume = () => service.byKey.subTenants.resumeSubTenant({ params });
const line = () => page.getByText('The tenant Acme is suspended.');

test('a page of a suspended tenant says so and offers the other account', async () => {
  await suspend();
  await page.reload();
  await line().waitFor();
  await expect.poll(() => page.title()).toBe('Tenant suspended · Gatehouse');
  const acme = page.getByRole('button', { name: new RegExp(ACME.email) });
  await expect
    .poll(async () => [await acme.isDisabled(), await acme.textContent()])
    .toEqual([true, expect.stringContaining('Suspended') as string]);
  await page.getByRole('button', { name: new RegExp(OWNER.email) }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  // In the other tenant, the suspended account is marked as such.
  await page.getByRole('button', { name: 'Switch tenant' }).click();
  await acme.getByText('Suspended').waitFor();
  await expect.poll(() => acme.isDisabled()).toBe(true);
});

test('a tenant that is suspended while its console is open shows this without a reload', async () => {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  await suspend();
  await line().waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').getByText('This tenant is suspended').waitFor();
  await resume();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
});

test('a user of a suspended tenant can sign out, and not sign in again', async () => {
  await suspend();
  await page.reload();
  await line().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await signIn(page, ACME);
  await page.getByRole('alert').getByText('The tenant "Acme" is suspended').waitFor();
  await signIn(page, OWNER);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});
