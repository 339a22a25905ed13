import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const sources = globSync(
  '{agent,contract,control-plane,dev,domain,installer,lib,pki,profile-builder,sdk}/**/*.{ts,tsx}',
  { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) },
).map((path) => path.replaceAll('\\', '/'));

test('no file or folder is named utils, helpers, manager or misc', () => {
  const vague = /(^|[/-])(utils?|helpers?|manager|misc)(-|\.ts|\.tsx|\/)/;
  expect(sources.filter((path) => vague.test(path))).toEqual([]);
});

/** The capability that a file of the control plane or of its console belongs to. */
const capabilityOf = (path: string): string | undefined =>
  /^control-plane\/console\/src\/[^/]+(?=\/)/.exec(path)?.[0] ??
  /^control-plane\/(?!console\/)[^/]+(?=\/)/.exec(path)?.[0];

test('no two files of a capability have the same name', () => {
  expect(sources.length).toBeGreaterThan(2000);
  // Tables, their migrations and the two dialects are named after the data or the database.
  const files = sources.filter((path) => !path.startsWith('control-plane/storage/'));
  const named = files.flatMap((path) => {
    const capability = capabilityOf(path);
    return capability ? [`${capability} ${basename(path)}`] : [];
  });
  const found = named.filter((name, i) => named.indexOf(name) !== i);
  expect([...new Set(found)]).toEqual([]);
});
