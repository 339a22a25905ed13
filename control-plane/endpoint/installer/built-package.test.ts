import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeApp } from '#installer/bundle/testing/make-app.ts';
import { InstallerError } from '#installer/installer-error.ts';
import { readConfig } from '../../config.ts';
import { buildOnce } from './built-package.ts';

// Each build is a process.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let app: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-package-'));
  app = join(folder, 'Gatehouse.app');
  makeApp(app);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What builds, and how often it began to. */
function makeBuilder(env: Record<string, string> = {}) {
  const config = readConfig({ DATA_DIR: join(folder, 'data'), ...env });
  if ('error' in config) throw new Error(config.error);
  const info = vi.fn();
  const context = { config, log: { info } as never };
  const settings = { app, identity: undefined, timestampUrl: undefined };
  return { build: () => buildOnce(context, settings), began: () => info.mock.calls.length };
}

test('many who ask wait for one build, and later ones find it', async () => {
  const { build, began } = makeBuilder();
  const files = await Promise.all([build(), build(), build()]);
  expect(new Set(files.map(({ path }) => path)).size).toBe(1);
  await build();
  expect(began()).toBe(1);
  expect(files[0]).toMatchObject({ version: '1.2.3', sha256: expect.stringMatching(/^\w{64}$/) });
});

test('a change of any file of the app builds anew', async () => {
  const { build, began } = makeBuilder();
  const before = await build();
  await utimes(join(app, 'Contents/Resources/part-1/1.txt'), 1_800_000_000, 1_800_000_000);
  expect((await build()).sha256).not.toBe(before.sha256);
  expect(began()).toBe(2);
});

test('what failed is tried again', async () => {
  const { build, began } = makeBuilder({ APP_BUNDLE_ID: 'com.other.agent' });
  for (const times of [1, 2]) {
    await expect(build()).rejects.toThrow(InstallerError);
    expect(began()).toBe(times);
  }
});
