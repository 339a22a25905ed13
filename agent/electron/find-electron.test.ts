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

describe('the program', () => {
  test('is where the package says', () => {
    put('package/path.txt', 'Electron.app/Contents/MacOS/Electron');
    const program = put('package/dist/Electron.app/Contents/MacOS/Electron');
    expect(findElectron({ packageFolder: join(folder, 'package'), electronFolder: null })).toBe(
      program,
    );
  });

  test('is in the folder that is given instead', () => {
    const program = put('own/electron');
    const places = { packageFolder: join(folder, 'package'), electronFolder: join(folder, 'own') };
    expect(findElectron(places)).toBe(program);
  });

  test.each([
    ['nothing was ever fetched', {}],
    ['the package names it, but it is gone', { 'package/path.txt': 'electron' }],
    ['it was fetched only in part', { 'package/dist/electron': '' }],
  ])('is not there when %s', (_what, files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    const places = { packageFolder: join(folder, 'package'), electronFolder: null };
    expect(findElectron(places)).toBeNull();
    expect(findElectron({ ...places, electronFolder: join(folder, 'none') })).toBeNull();
  });
});

describe('fetching', () => {
  const installing = (script: string): string => {
    put('package/package.json', '{"type": "commonjs"}');
    put('package/install.js', script);
    return join(folder, 'package');
  };

  test('runs the package’s own script', async () => {
    const script =
      "const fs = require('node:fs'); fs.writeFileSync(__dirname + '/path.txt', 'electron'); fs.mkdirSync(__dirname + '/dist'); fs.writeFileSync(__dirname + '/dist/electron', '')";
    const packageFolder = installing(script);
    expect(await fetchElectron(packageFolder, 20_000)).toBe(true);
    expect(findElectron({ packageFolder, electronFolder: null })).not.toBeNull();
  });

  test('ends when the download does not', async () => {
    expect(await fetchElectron(installing('setInterval(() => {}, 1000)'), 200)).toBe(false);
  });

  test('fails without a word', async () => {
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

  test('builds, starts Electron with the app, and ends as Electron does', () => {
    const program = put('own/electron', '#!/bin/sh\necho "$@"\nexit 7\n');
    chmodSync(program, 0o755);
    const [status, output] = command({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'own') });
    expect([status, output]).toEqual([7, `${join(import.meta.dirname, 'dist')}\n`]);
  });
});
