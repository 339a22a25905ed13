import type { Browser, Page } from 'playwright-core';
import { OWNER, type TestControlPlane } from './control-plane.ts';
import { PATIENCE_MS } from './time-limits.ts';

/** Submits the sign-in page. Does not wait for the response. */
export async function signIn(page: Page, user: { email: string; password: string }) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the console in a new page, signed in as the owner. */
export async function openConsole(browser: Browser, { urls }: TestControlPlane): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  // Shorter than the timeout of a test, so that an error names the locator.
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(urls.public);
  await signIn(page, OWNER);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
}
