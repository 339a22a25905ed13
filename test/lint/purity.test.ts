import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'gatehouse/purity';
const REPORTED_AS = 'gatehouse(purity)';
const NOW = 'export const now = (): number => Date.now();\n';
const jsPlugins = [join(root, 'dev/lint/plugin.mjs')];
/** Reports only impurity. */
const onlyPurity = { jsPlugins, categories: { correctness: 'off' } };

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

interface Report {
  diagnostics: { code: string; message: string; filename: string }[];
}

/** Returns what this rule reports for files: `file: message`, without the folder. */
async function reported(config: string, cwd: string, paths: readonly string[]): Promise<string[]> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  const args = [program, '--config', config, '--format', 'json', ...paths];
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { cwd, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout)),
  );
  return (JSON.parse(output) as Report).diagnostics
    .filter(({ code }) => code === REPORTED_AS)
    .map(({ filename, message }) => `${filename.replace(`${cwd}/`, '')}: ${message}`)
    .sort();
}

const impure: readonly (readonly [code: string, says: string])[] = [
  ['Date.now()', 'reads the clock (Date)'],
  ['new Date()', 'reads the clock (Date)'],
  ['Date()', 'reads the clock (Date)'],
  ['{ ...Date }', 'reads the clock (Date)'],
  ['performance.now()', 'reads the clock (performance)'],
  ['setTimeout(() => {}, 1)', 'waits on the clock (setTimeout)'],
  ['Math.random()', 'draws random numbers (Math)'],
  ['{ ...Math }', 'draws random numbers (Math)'],
  ['crypto.randomUUID()', 'draws random numbers (crypto)'],
  ['process.env', 'does I/O (process)'],
  ["fetch('/')", 'does I/O (fetch)'],
  ['console.log(1)', 'does I/O (console)'],
  ['globalThis', 'reaches everything (globalThis)'],
  ["import('node:net')", 'imports node:net'],
];

const impureImports: readonly (readonly [code: string, says: string])[] = [
  ["import { readFileSync } from 'node:fs';", 'imports node:fs'],
  ["import { readFileSync } from 'fs';", 'imports fs'],
  ["import { hash, randomBytes } from 'node:crypto';", 'imports node:crypto'],
  ["import 'node:http';", 'imports node:http'],
  ["export { spawn } from 'node:child_process';", 'imports node:child_process'],
];

const pure = [
  'export const at = (time: number) => new Date(time);',
  'export const utc = Date.UTC(2026, 0);',
  'export const largest = Math.max(1, 2);',
  'export const isDate = (value: unknown) => value instanceof Date;',
  'export const named = (process: { env: string }) => process.env;',
  'export type Fetch = typeof fetch;',
  "import type { Stats } from 'node:fs'; export type S = Stats;",
  "import { hash } from 'node:crypto'; export const h = hash('sha256', '');",
];

test('clocks, randomness and I/O are reported, and nothing else', async () => {
  const config = write('rule.json', JSON.stringify({ ...onlyPurity, rules: { [KEY]: 'error' } }));
  const samples = [
    ...impure.map(([code, says]) => [`export const value = (${code});`, says] as const),
    ...impureImports,
    ...pure.map((code) => [code, null] as const),
  ].map(([code, says], index) => ({ path: `sample-${index}.ts`, code, says }));
  for (const { path, code } of samples) write(path, code);

  const found = await reported(config, folder, ['.']);
  const expected = samples
    .filter(({ says }) => says !== null)
    .map(({ path, says }) => `${path}: pure code ${says}: make it a parameter`);
  expect(found).toEqual(expected.sort());
});

test('the rule applies to code that is declared pure', async () => {
  const config = { ...JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')), jsPlugins };
  delete config.$schema;
  const pureFiles = [
    'agent/core/capture/pause.ts',
    'control-plane/policies/categories/kill.ts',
    'control-plane/runs/rules.ts',
    'control-plane/runs/trace-rules.ts',
    'domain/hosts/catalog.ts',
  ];
  const others = ['agent/node/clock.ts', 'control-plane/runs/handlers.ts', 'domain/clock.test.ts'];
  const inside = mkdtempSync(join(folder, 'repository-'));
  for (const path of [...pureFiles, ...others]) {
    mkdirSync(dirname(join(inside, path)), { recursive: true });
    writeFileSync(join(inside, path), NOW);
  }
  writeFileSync(join(inside, '.oxlintrc.json'), JSON.stringify(config));
  const found = await reported('.oxlintrc.json', inside, ['.']);
  expect(found.map((line) => line.split(':')[0])).toEqual(pureFiles);
});

/** Impure code that rules are allowed to call. */
const exceptions: Readonly<Record<string, string>> = {
  'control-plane/policies/content/checks.ts': 'bounds the time that patterns of a tenant take',
};

const isTest = (path: string): boolean => /\.test\.ts$|\/testing\//.test(path);
const rules = globSync(
  ['{domain,agent/core}/**/*.ts', '{contract,control-plane,profile-builder}/**/*rules.ts'],
  { cwd: root },
).filter((path) => !isTest(path) && !path.includes('/dist/'));

/** The modules whose values a file imports. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const statement = /^(?:import|export)\s+(?!type\b)([^;']*?)\s*from '([^']+)';/gm;
  return [...text.matchAll(statement)]
    .filter(([, names = '']) => !/^\{(\s*type [\w ]+,?)+\s*\}$/.test(names))
    .map(([, , from = '']) => from);
}

const fileOf = (from: string, importer: string): string =>
  from.startsWith('#') ? from.slice(1) : join(dirname(importer), from);

test('pure code calls only pure code', async () => {
  const reached = new Set(rules);
  const packages = new Set<string>();
  for (const path of reached)
    for (const from of importsOf(path))
      if (!/^[#.]/.test(from)) packages.add(from);
      else if (!(fileOf(from, path) in exceptions)) reached.add(fileOf(from, path));

  expect([...reached].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect([...packages].sort()).toEqual([
    '@lingui/core/macro', // the language of a page does not change
    'libphonenumber-js/min',
    'node:crypto', // the rule allows hashing
    're2js',
    'zod',
  ]);
  const config = write(
    'closure.json',
    JSON.stringify({ ...onlyPurity, rules: { [KEY]: 'error' } }),
  );
  expect(await reported(config, root, [...reached])).toEqual([]);
});
