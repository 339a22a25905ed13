import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));

const sheets = filesOf('**/*.css');
const modules = filesOf('**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.test.ts'));

function classesOf(css: string): string[] {
  const selectors = css.replace(/\/\*.*?\*\//gs, '').replace(/\{[^{}]*\}/g, '{}');
  return [...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
}

test('every class that has a rule is used by a component', () => {
  const code = modules.map(({ text }) => text).join('\n');
  const dead = sheets.flatMap(({ path, text }) =>
    [...new Set(classesOf(text))]
      // Components append the number of the colour.
      .map((name) => name.replace(/^series-\d$/, 'series-'))
      .filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w])`).test(code))
      .map((name) => `${path}: .${name}`),
  );
  expect(dead).toEqual([]);
});

test('every style sheet is imported', () => {
  const imported = new Set(
    [...modules, ...sheets].flatMap(({ path, text }) =>
      [...text.matchAll(/import '(\.[^']+\.css)';/g)].map(([, to = '']) => join(dirname(path), to)),
    ),
  );
  expect(sheets.map(({ path }) => path).filter((path) => !imported.has(path))).toEqual([]);
});

// The bundle contains the style sheets in the order of their imports, so those of used components
// must come before a component's own.
test('a component imports its style sheet last, and shared ones come first', () => {
  const early = modules
    .filter(({ text }) => /^import '.*\.css';$[^]*^import .*(?<!\.css)';$/m.test(text))
    .map(({ path }) => path);
  expect(early.toSorted()).toEqual(['testing/tables.tsx']);
  const main = modules.find(({ path }) => path === 'main.tsx')?.text ?? '';
  expect(main.indexOf('styles/index.css')).toBeLessThan(main.indexOf('start.tsx'));
});

test('no style sheet has more than 300 lines', () => {
  expect(sheets.filter(({ text }) => text.split('\n').length > 300)).toEqual([]);
});
