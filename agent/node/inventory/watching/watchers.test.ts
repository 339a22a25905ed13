import { EventEmitter } from 'node:events';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRoot } from '../testing/fixtures.ts';
import { watchOnDarwin } from './darwin.ts';
import { watchOnLinux } from './linux.ts';
import type { Watcher } from './watcher.ts';

const none = new Set<string>();
const open = (options: Partial<Parameters<typeof watchOnLinux>[0]> = {}): Watcher => {
  const watcher = watchOnLinux({ onChange: () => {}, ...options });
  if (!watcher) throw new Error('this system has no inotify to spare');
  return watcher;
};

test('a folder is quiet as long as its entries are unchanged', async () => {
  await using root = await makeRoot({ '/a/file': '', '/b/file': '', '/c/file': '' });
  const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((name) => join(root.dir, name));
  const watcher = open();
  watcher.watch(a);
  watcher.watch(b);
  const quiet = () => {
    watcher.begin();
    return [a, b, c].map(watcher.isUnchanged);
  };
  expect(quiet()).toEqual([true, true, false]);
  writeFileSync(join(a, 'file'), 'written to');
  expect(quiet()).toEqual([true, true, false]);
  writeFileSync(join(a, 'new'), '');
  expect(quiet()).toEqual([false, true, false]);
  expect(quiet()).toEqual([true, true, false]);
  renameSync(join(a, 'new'), join(b, 'new'));
  expect(quiet()).toEqual([false, false, false]);
  rmSync(a, { recursive: true });
  mkdirSync(a);
  // This is another folder with the same name.
  expect([quiet(), quiet()]).toEqual([
    [false, true, false],
    [false, true, false],
  ]);
  watcher.stop();
});

test('after lost events, no folder is quiet in the next scan', async () => {
  await using root = await makeRoot({ '/a/file': '', '/b/file': '' });
  const [a = '', b = ''] = ['a', 'b'].map((name) => join(root.dir, name));
  const watcher = open();
  watcher.watch(a);
  watcher.watch(b);
  // The kernel stores 16,384 events by default, and merges only equal consecutive ones.
  for (let i = 0; i < 20_000; i += 1)
    renameSync(join(a, i % 2 ? 'x' : 'file'), join(a, i % 2 ? 'file' : 'x'));
  watcher.begin();
  expect(watcher.isUnchanged(b)).toBe(false);
  watcher.begin();
  expect(watcher.isUnchanged(b)).toBe(true);
  watcher.stop();
});

test('at the limit of watches, other folders are not quiet', async () => {
  await using root = await makeRoot({ '/a/file': '', '/b/file': '' });
  const watcher = open({ limit: 1 });
  for (const name of ['a', 'b']) watcher.watch(join(root.dir, name));
  watcher.begin();
  expect(['a', 'b'].map((name) => watcher.isUnchanged(join(root.dir, name)))).toEqual([
    true,
    false,
  ]);
  watcher.stop();
});

// `fs.watch` has the same behaviour on Linux, where it uses another facility of the system.
test('with the watcher for macOS, relevant changes are reported', async () => {
  await using root = await makeRoot({ '/apps/x': '', '/other/x': '' });
  const dir = realpathSync(root.dir);
  const apps = join(dir, 'apps');
  const reported = Promise.withResolvers<void>();
  const watcher = watchOnDarwin({ onChange: reported.resolve }, [apps]);
  watcher.setWatched({ paths: none, listed: new Set([apps]) });
  watcher.begin();
  writeFileSync(join(apps, 'New.app'), '');
  await reported.promise;
  watcher.stop();
});

/** Opens the watcher for macOS, with events that the test creates. */
function openReported(roots: string[]) {
  const reports: ((type: string, name: string | null) => void)[] = [];
  const watcher = watchOnDarwin({ onChange: () => {} }, roots, (_, report) => {
    reports.push(report);
    return { close: () => {}, on: () => new EventEmitter() as never };
  });
  const scans = (dir: string, count: number) =>
    Array.from({ length: count }, () => {
      watcher.begin();
      return watcher.isUnchanged(dir);
    });
  return { watcher, scans, report: (name: string | null) => reports[0]?.('rename', name) };
}

test('with the watcher for macOS, a folder without events is checked in one scan of eight', () => {
  const { watcher, scans } = openReported(['/home']);
  watcher.watch('/home/src');
  watcher.setWatched({ paths: none, listed: none });
  expect(scans('/home/src', 8)).not.toContain(true);
  watcher.watch('/home/src');
  watcher.watch('/elsewhere');
  expect(scans('/home/src', 8).filter((isUnchanged) => isUnchanged)).toHaveLength(7);
  expect(scans('/elsewhere', 8)).not.toContain(true);
});

test('with the watcher for macOS, a folder is checked after an event in it', () => {
  const { watcher, report } = openReported(['/home']);
  watcher.setWatched({ paths: none, listed: none });
  const dirs = Array.from({ length: 20 }, (_, i) => `/home/${'x'.repeat(i + 1)}`);
  dirs.forEach(watcher.watch);
  const quiet = () => {
    watcher.begin();
    return dirs.filter(watcher.isUnchanged);
  };
  const before = quiet();
  for (const dir of before) report(`${dir.slice('/home/'.length)}/new`);
  expect(quiet().filter((dir) => before.includes(dir))).toEqual([]);
  expect(quiet().length).toBeGreaterThan(10);
  // Without a name, anything may have changed.
  report(null);
  expect(quiet()).toEqual([]);
});
