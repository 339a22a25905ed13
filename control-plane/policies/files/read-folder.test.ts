import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFolder, listSkippedFiles } from './read-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-policies-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, policy: string): void =>
  writeFileSync(join(folder, name), `name: ${policy}\ncategory: operations\n`);

test('only YAML and JSON files are read, in name order', async () => {
  write('c.yaml', 'C');
  write('b.YML', 'B');
  writeFileSync(join(folder, 'a.json'), '{"name":"A","category":"operations"}');
  write('readme.md', 'X');
  write('d.yaml.orig', 'Y');
  expect([...(await readFolder(folder)).keys()]).toEqual(['A', 'B', 'C']);
});

test('files in subfolders are listed but not read', async () => {
  write('a.yaml', 'A');
  mkdirSync(join(folder, 'team/x'), { recursive: true });
  write('team/b.yaml', 'B');
  write('team/x/c.json', 'C');
  write('team/readme.md', 'D');
  expect([...(await readFolder(folder)).keys()]).toEqual(['A']);
  expect(await listSkippedFiles(folder)).toEqual([
    `${folder}/team/b.yaml`,
    `${folder}/team/x/c.json`,
  ]);
});

test('duplicate names and unreadable files are rejected', async () => {
  write('a.yaml', 'Same');
  write('b.yaml', 'Same');
  await expect(readFolder(folder)).rejects.toThrow(
    `${folder}/b.yaml:1: the policy "Same" is in ${folder}/a.yaml:1 too`,
  );
  rmSync(join(folder, 'b.yaml'));
  mkdirSync(join(folder, 'c.yaml'));
  await expect(readFolder(folder)).rejects.toThrow(`${folder}/c.yaml: cannot be read: `);
  await expect(readFolder(join(folder, 'none'))).rejects.toThrow(/none: cannot be read: /);
});
