// @module-tag chromium

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { signInAsOwner, makeConsoleWorld, visit } from '../support/console-world.ts';
import type { ConsoleWorld } from '../support/console-world.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from '../support/time-limits.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let world: ConsoleWorld;
let browser: Browser;
/** Errors that the browser reported, such as violations of the Content-Security-Policy. */
const reported = new Set<string>();

beforeAll(async () => {
  world = await makeConsoleWorld();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function openConsole(width: number): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (message) => {
    if (message.type() === 'error') reported.add(`${message.text()} ${message.location().url}`);
  });
  await signInAsOwner(page, world);
  return page;
}

/**
 * Finds layout problems: pages that scroll horizontally, and tables whose first column is too
 * narrow.
 */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const over = document.documentElement.scrollWidth - innerWidth;
    const lost = [...document.querySelectorAll('table')]
      .filter((table) => [...table.querySelectorAll('tbody th')].some((th) => th.clientWidth < 80))
      .map((table) => `first column of "${table.ariaLabel}"`);
    const widest = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map(({ localName, className }) => `${localName}.${className}`);
    return [
      ...(over > 0 ? [`${over} pixels too wide: ${widest.slice(0, 5).join(', ')}`] : []),
      ...lost,
    ];
  });

/** Each page is loaded once for laptops and once for phones, and then resized and recoloured. */
test.each([
  ['laptops', [1440, 1280, 1180, 1000], 1280, ['light', 'dark']],
  ['phones and tablets', [390, 820], 390, ['light']],
] as const)(
  'every page fits %s, and axe finds no violations',
  async (_, widths, axeWidth, themes) => {
    const page = await openConsole(widths[0]);
    const found: string[] = [];
    for (const [name, path] of world.pages) {
      await page.emulateMedia({ colorScheme: 'light' });
      await resize(page, widths[0]);
      await visit(page, world, path);
      for (const width of widths) {
        await resize(page, width);
        found.push(...(await misfits(page)).map((misfit) => `${name}, ${width} pixels: ${misfit}`));
      }
      await resize(page, axeWidth);
      await openFirstDetails(page);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await violations(page)).map((each) => `${name}, ${colorScheme}: ${each}`));
      }
    }
    expect(found).toEqual([]);
    await page.close();
  },
  2 * TEST_LIMIT_MS,
);

const resize = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  // Size observers run before the second frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
};

async function openFirstDetails(page: Page): Promise<void> {
  const details = page.getByRole('button', { name: /^Details of/ });
  if ((await details.count()) === 0) return;
  await details.first().click();
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
}

/** Runs all rules of axe-core, including best practices. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(() =>
    (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 300)}`,
  );
}

test('the browser console contains no errors', () => {
  expect([...reported]).toEqual([]);
});
