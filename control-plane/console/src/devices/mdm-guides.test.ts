import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mdmGuides } from './mdm-guides.ts';

const folder = join(import.meta.dirname, '../../../../docs/deploy');

/** Removes the markup and line breaks of the pages. */
const plain = (text: string): string =>
  text.replaceAll(/[_*`]|\n\s*/g, ' ').replaceAll(/\s+/g, ' ');

test.each(mdmGuides)('the menus for $name are those on its documentation page', async (guide) => {
  const page = plain(await readFile(join(folder, `${guide.id}.md`), 'utf8'));
  const menus = guide.steps.flatMap((step) => step.match(/[A-Z][^.:,;›]*(?: › [^.:,;›]+)+/g) ?? []);
  expect(menus.length).toBeGreaterThan(1);
  for (const menu of menus.map((one) => one.replace(/^Then /, '').replace(/^Wait until /, '')))
    expect(page).toContain(menu.split(/ shows | counts | \(/)[0]);
});
