// @module-tag unsquashfs

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPackage } from '@electron/asar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFuses } from '../fuses.ts';
import { makeAppImage } from './app-image.ts';
import { linuxNames } from './names.ts';

const folder = mkdtempSync(join(tmpdir(), 'app-image-'));
const unpacked = join(folder, 'image');
let file = '';

beforeAll(async () => {
  const config = {
    appName: 'Lookout',
    bundleId: 'com.example.lookout',
    teamId: 'EXAMPLE123',
    electronFolder: null,
  };
  file = await makeAppImage({
    release: { config, output: folder, report: { log() {}, advance() {} } },
    names: linuxNames(config.appName, config.bundleId),
    work: mkdtempSync(join(folder, 'work-')),
    isStandIn: true,
  });
  // The squashfs follows the runtime.
  const offset = readFileSync(file).indexOf('hsqs');
  execFileSync('unsquashfs', [
    '-quiet',
    '-no-progress',
    '-o',
    String(offset),
    '-d',
    unpacked,
    file,
  ]);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('starts the app with its name and icon', () => {
  const entry = readFileSync(join(unpacked, 'lookout.desktop'), 'utf8');
  expect(entry).toMatch(/^Name=Lookout$/m);
  expect(entry).toMatch(/^Exec=AppRun/m);
  for (const program of [file, join(unpacked, 'lookout')])
    expect(statSync(program).mode & 0o111).toBe(0o111);
});

test('has all fuses set', async () => {
  expect(await readFuses(join(unpacked, 'lookout'))).toMatchObject({
    RunAsNode: 'off',
    EnableNodeOptionsEnvironmentVariable: 'off',
    EnableNodeCliInspectArguments: 'off',
    OnlyLoadAppFromAsar: 'on',
  });
});

test('has only the native npm package beside its archive', () => {
  const packed = listPackage(join(unpacked, 'resources/app.asar'), { isPack: false });
  const packages = packed.filter((path) => /^\/node_modules\/(@[^/]+\/)?[^@/]+$/.test(path));
  const native = `@koromix/koffi-linux-${process.arch}`;
  expect(packages).toEqual([`/node_modules/${native}`, '/node_modules/koffi']);
  const library = `node_modules/${native}/linux_${process.arch}/koffi.node`;
  expect(statSync(join(unpacked, 'resources/app.asar.unpacked', library)).size).toBeGreaterThan(0);
});
