import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const made = new Set(['node_modules', 'dist', 'build', '.git']);
/**
 * Whether a path is not part of the repository: installed, built, or the data of a control plane
 * that runs from here.
 */
const isMade = (path: string): boolean =>
  path.split('/').some((segment) => made.has(segment)) || /^data(\/|$)/.test(path);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (isMade(path)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow('');
const folders = new Set(files.map((file) => file.split('/')[0]!));
const pages = files.filter((file) => file.endsWith('.md'));

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
/**
 * The text of a page without code blocks, because their paths belong to the reader. Line numbers
 * are preserved.
 */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replace(/^```.*?^```$/gms, (block) =>
    block.replace(/[^\n]/g, ''),
  );

/**
 * Whether a text in backticks is a path without a file. It may be a path from the root of the
 * repository or the end of a source file's path.
 */
function isPathOfNothing(text: string): boolean {
  const path = text.replace(/\/$/, '');
  const segments = path.split('/');
  if (!/^[\w./-]+$/.test(path) || isMade(path)) return false;
  if (segments.length > 1 && folders.has(segments[0]!)) return !existsSync(join(root, path));
  if (!/^[\w-].*\.(ts|tsx|mjs|swift)$/.test(path)) return false;
  return !files.some((file) => file === path || file.endsWith(`/${path}`));
}

test('every path in the documentation exists', () => {
  const missing = pages.flatMap((page) => {
    const text = proseOf(page);
    return [...text.matchAll(/`([^`\n]+)`/g)]
      .filter(([, code = '']) => isPathOfNothing(code))
      .map(({ 1: code, index }) => `${page}:${lineOf(text, index)}: ${code}`);
  });
  expect(missing).toEqual([]);
});

test('every link between pages leads to a file', () => {
  const broken = pages.flatMap((page) => {
    const text = proseOf(page);
    return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .filter(([, to = '']) => !/^(https?|mailto):/.test(to))
      .filter(([, to = '']) => !existsSync(join(root, dirname(page), to)))
      .map(({ 1: to, index }) => `${page}:${lineOf(text, index)}: ${to}`);
  });
  expect(broken).toEqual([]);
});

/**
 * Matches declarations but not imports or calls, because a reader who follows the path must find
 * the definition.
 */
const declarationOf = (name: string): RegExp =>
  new RegExp(
    `\\b(function\\*?|const|let|class|interface|type) ${name}\\b|^ *(async )?${name}\\??[:(<]`,
    'm',
  );

test('a name that is mentioned with a file is declared in it', () => {
  const wrong = pages.flatMap((page) => {
    const text = proseOf(page);
    return [...text.matchAll(/`(\w+)` in\s+`([\w./-]+\.tsx?)`/g)]
      .filter(([, name = '', file = '']) => {
        const path = files.find((one) => one === file || one.endsWith(`/${file}`));
        return !path || !declarationOf(name).test(readFileSync(join(root, path), 'utf8'));
      })
      .map(({ 1: name, 2: file, index }) => `${page}:${lineOf(text, index)}: ${name} in ${file}`);
  });
  expect(wrong).toEqual([]);
});

test('the guide for contributors names the functions along the way of a request and a report', () => {
  const text = proseOf('CONTRIBUTING.md');
  expect([...text.matchAll(/`(\w+)` in\s+`([\w./-]+\.tsx?)`/g)].length).toBeGreaterThan(20);
});

test('each answer to "Where is …?" names what to look for in its files', () => {
  const text = proseOf('CONTRIBUTING.md');
  const section = /^## Where is …\?$(.*?)^## /ms.exec(text)?.[1] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| -|^\| question /.test(line));
  expect(rows.length).toBeGreaterThan(14);
  const vague = rows.filter((row) => {
    const paths = [...row.matchAll(/`[\w./-]+\.(?:tsx?|py)`/g)].length;
    return paths === 0 || paths > [...row.matchAll(/`[\w.]+` in `[\w./-]+\.(?:tsx?|py)`/g)].length;
  });
  expect(vague).toEqual([]);
});

test('every picture in the documentation is used by a page', () => {
  const shown = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const pictures = files.filter((file) => file.startsWith('docs/images/'));
  expect(pictures.filter((file) => !shown.includes(file.slice('docs/'.length)))).toEqual([]);
});
