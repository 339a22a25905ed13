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

test(
  'every text of every page is translated',
  async () => {
    const page = await openInPseudoLocale();
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      // The body of a response is no longer available if the page that requested it was left.
      if (response.headers()['content-type']?.includes('json'))
        answers.push(response.text().catch(() => ''));
    });
    const found: string[] = [];
    for (const [name, path] of world.pages) {
      await visit(page, world, path);
      await openFirstDetails(page);
      const texts = await readTexts(page);
      expect(texts.length).toBeGreaterThan(20);
      const data = dataOf(await Promise.all(answers));
      found.push(...untranslated(texts, data).map((text) => `${name}: ${text}`));
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('en-XA');
    expect(found).toEqual([]);
    await page.close();
  },
  2 * TEST_LIMIT_MS,
);
