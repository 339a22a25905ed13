import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '#test/support/build-console.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { signInAsOwner, makeConsoleWorld, visit } from '#test/support/console-world.ts';

const WIDTHS = [390, 1280];
const THEMES = ['light', 'dark'] as const;

/** `npm run screenshots -- FOLDER [NAME]`: every page, or those with NAME in their names. */
const [folder, only = ''] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('screenshots: expected a folder: npm run screenshots -- FOLDER [NAME]\n');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
await buildConsole();
const world = await makeConsoleWorld();
const browser = await launchChromium();
for (const width of WIDTHS)
  for (const colorScheme of THEMES) {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    await signInAsOwner(page, world);
    for (const [name, path] of world.pages.filter(([name]) => name.includes(only))) {
      await visit(page, world, path);
      const file = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
    await page.close();
  }
await browser.close();
await world.stop();
