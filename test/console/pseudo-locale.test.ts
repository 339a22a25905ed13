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

/** Signed in with English, whose labels the fixture knows; then in the pseudo-locale. */
async function openInPseudoLocale(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await signInAsOwner(page, world);
  await page.evaluate(() =>
    localStorage.setItem('gatehouse.display', JSON.stringify({ language: 'en-XA' })),
  );
  return page;
}

test(
  'every text of every page is translated',
  async () => {
    const page = await openInPseudoLocale();
    const answered: string[] = [];
    page.on('response', async (response) => {
      if (response.headers()['content-type']?.includes('json'))
        answered.push(await response.text().catch(() => ''));
    });
    const found = new Set<string>();
    for (const [name, path] of world.pages) {
      await visit(page, world, path);
      expect(await page.locator('html').getAttribute('lang')).toBe('en-XA');
      for (const text of untranslated(await readTexts(page), dataOf(answered)))
        found.add(`${name}: ${text}`);
    }
    expect([...found]).toEqual([]);
    await page.close();
  },
  2 * TEST_LIMIT_MS,
);
