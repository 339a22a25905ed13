// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { makeConsoleWorld, signInAsOwner, visit } from '../support/console-world.ts';
import type { ConsoleWorld } from '../support/console-world.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from '../support/time-limits.ts';
import { dataOf, readTexts, untranslated } from '../support/untranslated-texts.ts';

let world: ConsoleWorld;
let browser: Browser;

beforeAll(async () => {
  world = await makeConsoleWorld();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Signs in with English, whose labels the fixture uses, and then switches to the pseudo-locale. */
async function openInPseudoLocale(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await signInAsOwner(page, world);
  await page.evaluate(() =>
    localStorage.setItem('gatehouse.display', JSON.stringify({ language: 'en-XA' })),
  );
  return page;
}

async function openFirstDetails(page: Page): Promise<void> {
  const details = page.locator('td.disclosure button');
  if ((await details.count()) === 0) return;
  await details.first().click();
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
}

/**
 * The JSON that the pages read from now on. It is recorded on its way to the page: the browser
 * drops the bodies of responses when it needs their memory.
 */
async function recordData(page: Page): Promise<string[]> {
  const bodies: string[] = [];
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    // The request of a page that was left has no response.
    const response = await route.fetch().catch(() => undefined);
    if (!response) return route.abort().catch(() => undefined);
    if (response.headers()['content-type']?.includes('json')) bodies.push(await response.text());
    return route.fulfill({ response }).catch(() => undefined);
  });
  return bodies;
}

test(
  'every text of every page is translated',
  async () => {
    const page = await openInPseudoLocale();
    const answers = await recordData(page);
    const found: string[] = [];
    for (const [name, path] of world.pages) {
      await visit(page, world, path);
      await openFirstDetails(page);
      const texts = await readTexts(page);
      expect(texts.length).toBeGreaterThan(20);
      const data = dataOf(answers);
      found.push(...untranslated(texts, data).map((text) => `${name}: ${text}`));
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('en-XA');
    expect(found).toEqual([]);
    await page.close();
  },
  2 * TEST_LIMIT_MS,
);
