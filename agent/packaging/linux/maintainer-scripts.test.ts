import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maintainerScripts } from './maintainer-scripts.ts';
import { linuxNames } from './names.ts';
import { configured } from './unit.ts';

const names = linuxNames('Lookout', 'com.example.lookout');
let system: string;
beforeEach(() => {
  system = mkdtempSync(join(tmpdir(), 'postrm-'));
  for (const folder of configured) mkdirSync(join(system, 'etc', folder), { recursive: true });
});
afterEach(() => rmSync(system, { recursive: true }));

/** Runs the script with the paths of a folder instead of those of this system. */
function postrm(task: string): void {
  const script = (maintainerScripts(names)['postrm'] ?? '')
    .replaceAll(/\/(?=(?:etc|var|run)\/)/g, `${system}/`)
    .trim();
  execFileSync('sh', ['-c', script, 'postrm', task], { stdio: ['ignore', 'pipe', 'pipe'] });
}

const left = (): string[] => configured.filter((one) => existsSync(join(system, 'etc', one)));

test.each([
  ['remove', []],
  ['purge', []],
  ['upgrade', configured],
])('after %s, of the empty folders for settings there are left: %j', (task, expected) => {
  postrm(task);
  expect(left()).toEqual(expected);
});

test('folders with a file, links and missing folders are left as they are', () => {
  writeFileSync(join(system, 'etc/codex/config.toml'), '');
  rmSync(join(system, 'etc/cursor'), { recursive: true });
  rmSync(join(system, 'etc/goose'), { recursive: true });
  mkdirSync(join(system, 'elsewhere'));
  symlinkSync(join(system, 'elsewhere'), join(system, 'etc/goose'));
  postrm('purge');
  expect(left()).toEqual(['codex', 'goose']);
});
