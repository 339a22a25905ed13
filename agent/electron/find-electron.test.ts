import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchElectron, findElectron } from './find-electron.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-electron-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text = ''): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('the Electron program', () => {
  test('is at the path in the package', () => {
    put('package/path.txt', 'Electron.app/Contents/MacOS/Electron');
    const program = put('package/dist/Electron.app/Contents/MacOS/Electron');
    expect(findElectron({ packageFolder: join(folder, 'package'), electronFolder: null })).toBe(
      program,
    );
  });

  test('is in the given folder', () => {
    const program = put('own/electron');
    const paths = { packageFolder: join(folder, 'package'), electronFolder: join(folder, 'own') };
    expect(findElectron(paths)).toBe(program);
  });

  test.each([
    ['it was never downloaded', {}],
    ['the package has its path but not the file', { 'package/path.txt': 'electron' }],
    ['the download was interrupted', { 'package/dist/electron': '' }],
  ])('is missing if %s', (_what, files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    const paths = { packageFolder: join(folder, 'package'), electronFolder: null };
    expect(findElectron(paths)).toBeNull();
    expect(findElectron({ ...paths, electronFolder: join(folder, 'none') })).toBeNull();
  });
});

describe('the download', () => {
  const installing = (script: string): string => {
    put('package/package.json', '{"type": "commonjs"}');
    put('package/install.js', script);
    return join(folder, 'package');
  };

  test('runs the script of the package', async () => {
    const script =
      "const fs = require('node:fs'); fs.writeFileSync(__dirname + '/path.txt', 'electron'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', '')";
    const packageFolder = installing(script);
    expect(await fetchElectron(packageFolder, 20_000)).toBe(true);
    expect(findElectron({ packageFolder, electronFolder: null })).not.toBeNull();
  });

  test('ends at the time limit', async () => {
    expect(await fetchElectron(installing('setInterval(() => {}, 1000)'), 200)).toBe(false);
  });

  test('prints nothing when it fails', async () => {
    expect(await fetchElectron(installing('throw new Error("no network")'), 20_000)).toBe(false);
  });
});

describe('the command', () => {
  const command = (env: Record<string, string>, ...args: string[]) => {
    const script = join(import.meta.dirname, 'command.ts');
    const ended = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
    return [ended.status, ended.stdout + ended.stderr];
  };

  test.each([
    ['an unknown task', {}, ['dance'], /^usage: .*\n$/],
    [
      'a folder without Electron',
      { ELECTRON_OVERRIDE_DIST_PATH: '/none' },
      [],
      /^ELECTRON_OVERRIDE_DIST_PATH: no Electron program in \/none\n$/,
    ],
    ['a bad name', { APP_NAME: 'x'.repeat(101) }, ['build'], /^\S*.*APP_NAME.*\n$/],
  ])('ends with one line for %s', (_what, env, args, line) => {
    expect(command(env, ...args)).toEqual([1, expect.stringMatching(line)]);
  });

  test('builds the app, starts Electron with it, and exits with its code', () => {
    const program = put('own/electron', '#!/bin/sh\necho "$@"\nexit 7\n');
    chmodSync(program, 0o755);
    const [status, output] = command({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'own') });
    expect([status, output]).toEqual([7, `${join(import.meta.dirname, 'dist')}\n`]);
  });
});
