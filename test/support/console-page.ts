import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import { signIn } from './console.ts';
import { OWNER, startTestControlPlane } from './control-plane.ts';
import type { TestControlPlane } from './control-plane.ts';
import { PATIENCE_MS } from './time-limits.ts';

/** Sets up a control plane and a page of its console, signed in as its owner. */
export function setUpConsolePage() {
  let service: TestControlPlane;
  let browser: Browser;
  /** The page, signed in as the owner. */
  let page: Page;

  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    browser = await launchChromium();
    page = await newPage(OWNER);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a page in its own browser context, so that users do not share a session. */
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
  const dialog = () => page.getByRole('dialog');

  return {
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    get page() {
      return page;
    },
    newPage,
    open,
    rowsOf,
    press,
    dialog,
  };
}
