import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '#test/support/chromium.ts';
const [url, out, scheme='light', width='1280', height='900', ...paths] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme: scheme as 'light' });
page.on('console', (m) => m.type() === 'error' && console.log('console:', m.text()));
page.on('pageerror', (e) => console.log('pageerror:', e.message));
await page.goto(url!);
await page.getByLabel('Email').fill('owner@example.test');
await page.getByLabel('Password').fill('correct horse battery');
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('navigation', { name: 'Main' }).waitFor();
let n = 0;
for (const path of paths) {
  const [address, click, full] = path.split('@@');
  await page.goto(url + address!);
  await page.waitForTimeout(900);
  for (const c of (click ?? '').split('|').filter(Boolean)) { await page.locator(c).first().click(); await page.waitForTimeout(500); }
  await page.screenshot({ path: `${out}-${n++}.png`, fullPage: full === 'full' });
}
await browser.close();
