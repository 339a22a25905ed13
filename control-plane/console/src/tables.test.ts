// @module-tag chromium

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesPlugin } from '#control-plane/console/messages-plugin.ts';
import { launchChromium } from '#test/support/chromium.ts';

let browser: Browser;
let tables: { code: string; styles: string };

beforeAll(async () => {
  browser = await launchChromium();
  tables = await bundle(join(import.meta.dirname, 'testing/tables.tsx'));
});

afterAll(() => browser.close());

async function bundle(input: string) {
  const plugins = [messagesPlugin(), react()];
  const options = { write: false, minify: false, rollupOptions: { input } };
  const built = await build({ configFile: false, logLevel: 'warn', plugins, build: options });
  if (!('output' in built)) throw new Error('expected a single bundle');
  const styles = built.output.flatMap((file) =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  );
  return { code: built.output[0].code, styles: styles.join('\n') };
}

async function openTables(width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.setContent(`<!doctype html><style>${tables.styles}</style>`);
  await page.addScriptTag({ type: 'module', content: tables.code });
  await page.getByRole('table', { name: 'Usage by day' }).waitFor();
  return page;
}

// The scroll bar has a width of 15 pixels.
test.each([1280 - 15, 1000 - 15])('no cell is truncated at a width of %s pixels', async (width) => {
  const page = await openTables(width);
  const truncated = await page.evaluate(() =>
    [...document.querySelectorAll('th, td, .clipped')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => `${one.textContent}: ${one.scrollWidth} > ${one.clientWidth}`),
  );
  expect(truncated).toEqual([]);
});

test('only a valid key can be rotated or revoked, and an expired one has its expiry time', async () => {
  const page = await openTables(1280);
  const rows = page.getByRole('table', { name: 'API keys' }).getByRole('row');
  const states = ['Active', 'Active, expires in 23 h', 'Expired 12 min ago', 'Expired', 'Revoked'];
  for (const [at, state] of states.entries()) {
    const row = rows.nth(at + 1);
    expect(await row.locator('.state').textContent()).toContain(state);
    expect(await row.getByRole('button').count()).toBe(state.startsWith('Active') ? 2 : 0);
  }
});

test('a name with a bidirectional override is isolated, also in its tooltip', async () => {
  const page = await openTables(1280);
  const name = page.getByTitle('root‹U+202E›xoc.cod', { exact: true }).first();
  expect(await name.innerHTML()).toBe('<bdi>root‹U+202E›xoc.cod</bdi>');
});
