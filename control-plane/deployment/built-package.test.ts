import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeApp } from '#installer/testing/make-app.ts';
import { InstallerError } from '#installer/installer-error.ts';
import { createTestAuthority } from '#installer/testing/authority.ts';
import { createWorkshop } from '#installer/testing/workshop.ts';
import { type InstallerSettings, readConfig } from '../config.ts';
import { buildOnce } from './built-package.ts';

// Each build is a separate process.

let folder: string;
let app: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-package-'));
  app = join(folder, 'Gatehouse.app');
  makeApp(app);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Signing = Partial<Extract<InstallerSettings, { app: string }>>;

/** Creates a builder that counts its builds and lists its cached packages. */
function makeBuilder(env: Record<string, string> = {}, signing: Signing = {}) {
  const config = readConfig({ DATA_DIR: join(folder, 'data'), ...env });
  if ('error' in config) throw new Error(config.error);
  const [info, warn] = [vi.fn(), vi.fn()];
  const context = { config, log: { info, warn } as never, packages: new Map() };
  const settings = { app, identity: undefined, timestampUrl: undefined, ...signing };
  const began = () => info.mock.calls.length;
  return {
    build: () => buildOnce(context, settings),
    began,
    warned: () => warn.mock.calls.flat(),
  };
}

const cachedFiles = (): Promise<string[]> => readdir(join(folder, 'data', 'installer'));

/** Changes bytes in the middle, without changing any other visible property of the file. */
async function damage(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  await using file = await open(path, 'r+');
  await file.write('zzzz', 1000);
  await utimes(path, atime, mtime);
}

test('concurrent requests share one build, and later ones use the cached package', async () => {
  const { build, began } = makeBuilder();
  const files = await Promise.all([build(), build(), build()]);
  expect(new Set(files.map(({ path }) => path)).size).toBe(1);
  await build();
  expect(began()).toBe(1);
  expect(files[0]).toMatchObject({ version: '1.2.3', sha256: expect.stringMatching(/^\w{64}$/) });
});

test('a change of any file of the app triggers a new build', async () => {
  const { build, began } = makeBuilder();
  const before = await build();
  await utimes(join(app, 'Contents/Resources/part-1/1.txt'), 1_800_000_000, 1_800_000_000);
  expect((await build()).sha256).not.toBe(before.sha256);
  expect(began()).toBe(2);
});

test('a failed build is retried', async () => {
  const { build, began } = makeBuilder({ APP_BUNDLE_ID: 'com.other.agent' });
  for (const times of [1, 2]) {
    await expect(build()).rejects.toThrow(InstallerError);
    expect(began()).toBe(times);
  }
});

test('a package modified since its build is not served a second time', async () => {
  const { build, began } = makeBuilder();
  const before = await build();
  await damage(before.path);
  // The request still gets the stamp of the build, so that opening the file detects the change.
  expect((await build()).stamp).toBe(before.stamp);
  const after = await build();
  expect([after.sha256, after.stamp === before.stamp, began()]).toEqual([before.sha256, false, 2]);
});

test('a package of an earlier process is served only if it is unmodified', async () => {
  const { path } = await makeBuilder().build();
  const whole = makeBuilder();
  expect([(await whole.build()).path, whole.began(), whole.warned()]).toEqual([path, 0, []]);
  await damage(path);
  const damaged = makeBuilder();
  expect([(await damaged.build()).path, damaged.began()]).toEqual([path, 1]);
  expect(damaged.warned()).toEqual([`${path} was modified since it was built: rebuilding it`]);
});

test(
  'a killed build is reported with its signal in one line, and leaves no files',
  { tags: ['openssl', 'pgrep'] },
  async () => {
    await using workshop = await createWorkshop();
    const { root, authority, issueInstaller } = await createTestAuthority();
    const { key, certificate } = await issueInstaller();
    const certificates = [certificate, authority.certificate, root.certificate];
    const file = await workshop.writePkcs12('id.p12', { key, certificates, password: 'secret' });
    const killer = createServer(() => {
      const mine = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'installer/command.ts']);
      for (const pid of mine.toString().trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    });
    await new Promise<void>((resolve) => void killer.listen(0, '127.0.0.1', resolve));
    const timestampUrl = `http://127.0.0.1:${(killer.address() as AddressInfo).port}/`;
    const { build } = makeBuilder({}, { identity: { file, password: 'secret' }, timestampUrl });
    await expect(build()).rejects.toThrow(/^the installer command was killed by SIGKILL$/);
    killer.close();
    expect(await cachedFiles()).toEqual([]);
  },
);

test('files of a killed build are removed by the next build', async () => {
  const cacheFolder = join(folder, 'data', 'installer');
  const [old, young] = [join(cacheFolder, 'build-old'), join(cacheFolder, 'build-young')];
  await mkdir(old, { recursive: true });
  await mkdir(young);
  await utimes(old, 1_000_000_000, 1_000_000_000);
  const { path } = await makeBuilder().build();
  expect(new Set((await cachedFiles()).map((name) => join(cacheFolder, name)))).toEqual(
    new Set([path, young]),
  );
});
