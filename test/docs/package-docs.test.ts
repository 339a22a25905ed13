import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The two ways in which the sources begin a line of `inspect`. */
const labels = [/\b(?:row|list)\(\s*'([A-Z][\w ]+)'/g, /[`']([A-Z][\w]*(?: \w+)?) {2,}\S/g];

test('every line of `inspect` is explained', () => {
  const sources = globSync('installer/inspect/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read);
  const printed = sources.flatMap((text) =>
    labels.flatMap((pattern) => [...text.matchAll(pattern)].map(([, label = '']) => label)),
  );
  expect(printed).toEqual(expect.arrayContaining(['Title', 'Installs', 'Result', 'Payload']));
  const explained = [...read('docs/deploy/inspect.md').matchAll(/^\| `([\w ]+)` +\|/gm)];
  const known = new Set(explained.map(([, label]) => label));
  expect([...new Set(printed)].filter((label) => !known.has(label))).toEqual([]);
});

test('the page about the deb names all packages that it depends on', () => {
  const [, depends = ''] = /^Depends: (.*)$/m.exec(read('agent/packaging/linux/deb.ts')) ?? [];
  const names = depends.split(', ').map((one) => one.split(' ', 1)[0] ?? '');
  expect(names).toContain('curl');
  const page = read('docs/deploy/building-the-app.md');
  const [, sentence = ''] = /(It depends on [^]*?)\. It recommends/.exec(page) ?? [];
  const shown = sentence.replace('a C library', '`libc6`');
  expect(names.filter((name) => !shown.includes(`\`${name}\``))).toEqual([]);
});
