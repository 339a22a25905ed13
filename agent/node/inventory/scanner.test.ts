import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScanner } from './scanner.ts';
import { MAX_CLOCK_STEP_MS } from './traced-tree.ts';
import { type FakeFile, json, makeRoot, program } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';
import { openTree } from './tree.ts';
import { watchOnLinux } from './watching/linux.ts';
import { noWatcher, watchBelow, type Watcher } from './watching/watcher.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const server = (name: string) => json({ mcpServers: { [name]: { command: 'a' } } });
const options = { platform: 'linux' } as const;

/** A time at which all changes are long past, so that file times are trusted at once. */
const later = () => Date.now() + 2 * MAX_CLOCK_STEP_MS;

/** Waits until the file system's clock has advanced, so that later changes have new times. */
function nextTick(root: string): void {
  const file = join(root, 'clock');
  const touch = () => {
    writeFileSync(file, 'x');
    return statSync(file).mtimeMs;
  };
  for (const before = touch(); touch() === before;);
}

const files: Record<string, FakeFile> = {
  '/home/ada/.cursor/mcp.json': server('home'),
  '/home/ada/src/a/.mcp.json': server('a'),
  '/home/ada/src/b/c/.mcp.json': server('c'),
  '/home/ada/.local/bin/claude': { link: '../share/claude/versions/2.0.0' },
  '/home/ada/.local/share/claude/versions/2.0.0': program(),
  '/data/mcp.json': server('data'),
};

function watch(root: string): Watcher {
  const watcher = watchOnLinux({ onChange: () => {} });
  if (!watcher) throw new Error('this system has no inotify to spare');
  return watchBelow(root, watcher);
}

const places = [
  'src',
  'src/a',
  'src/b',
  'src/b/c',
  'src/d',
  'src/d/e',
  '.cursor',
  'src/node_modules',
];
const names = ['.mcp.json', 'mcp.json', '.cursor/mcp.json', 'x'];
const path = fc
  .tuple(fc.constantFrom(...places), fc.constantFrom(...names))
  .map((p) => p.join('/'));
const either = fc.oneof(path, fc.constantFrom(...places));

/** Changes that users and programs make to files. Impossible changes have no effect. */
const change = fc.oneof(
  fc.record({ does: fc.constant('write'), at: path, text: fc.constantFrom('p', 'q', 'rst') }),
  fc.record({ does: fc.constant('make'), at: fc.constantFrom(...places) }),
  fc.record({ does: fc.constant('remove'), at: either }),
  fc.record({ does: fc.constant('move'), at: either, to: either }),
  fc.record({
    does: fc.constant('link'),
    at: either,
    to: fc.constantFrom('/data', '../a', 'mcp.json'),
  }),
  fc.record({ does: fc.constant('chmod'), at: either, mode: fc.constantFrom(0o700, 0o755, 0o644) }),
  fc.record({ does: fc.constant('outside'), text: fc.constantFrom('s', 't') }),
  fc.record({ does: fc.constant('date'), at: either }),
);
interface Change {
  does: string;
  at?: string;
  to?: string;
  text?: string;
  mode?: number;
}

function apply(root: string, { does, at = '', to = '', text = '', mode = 0 }: Change): void {
  const file = join(root, 'home/ada', at);
  const acts: Record<string, () => void> = {
    write: () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, server(text));
    },
    make: () => mkdirSync(file, { recursive: true }),
    remove: () => rmSync(file, { recursive: true }),
    move: () => renameSync(file, join(root, 'home/ada', to)),
    link: () => symlinkSync(to, file),
    chmod: () => chmodSync(file, mode),
    outside: () => writeFileSync(join(root, 'data/mcp.json'), server(text)),
    date: () => utimesSync(file, 1, 1),
  };
  try {
    acts[does]?.();
  } catch {
    // This change is impossible here.
  }
}

const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 4 });

describe('a scan after changes has the result of a first scan', () => {
  test.each([
    { by: 'times', now: later, watches: false },
    { by: 'times that say nothing yet', now: Date.now, watches: false },
    { by: 'a watch', now: later, watches: true },
    { by: 'a watch, and times that say nothing yet', now: Date.now, watches: true },
  ])('if changes are known by $by', async ({ now, watches }) => {
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        await using root = await makeRoot(files);
        const watcher = watches ? watch(root.dir) : noWatcher;
        const scanner = createScanner(openTree(root.dir), { ...options, watcher, now });
        const fresh = () => scanInventory({ homes, root: root.dir, ...options });
        expect(await scanner.scan(homes)).toEqual(await fresh());
        for (const changes of all) {
          if (now === later) nextTick(root.dir);
          for (const one of changes) apply(root.dir, one);
          expect(await scanner.scan(homes)).toEqual(await fresh());
        }
        watcher.stop();
      }),
      { numRuns: 30 },
    );
  });
});

test('a folder that was moved to the path of another one is not mistaken for it', async () => {
  await using root = await makeRoot({ ...files, '/home/ada/other/.mcp.json': server('other') });
  const watcher = watch(root.dir);
  const scanner = createScanner(openTree(root.dir), { ...options, watcher, now: later });
  await scanner.scan(homes);
  nextTick(root.dir);
  rmSync(join(root.dir, 'home/ada/src/a/.mcp.json'));
  await scanner.scan(homes);
  nextTick(root.dir);
  renameSync(join(root.dir, 'home/ada/src/a'), join(root.dir, 'home/ada/was-a'));
  renameSync(join(root.dir, 'home/ada/other'), join(root.dir, 'home/ada/src/a'));
  const { apps } = await scanner.scan(homes);
  watcher.stop();
  expect(apps.map(({ name }) => name)).toContain('other');
});

test.each([
  { afterMs: MAX_CLOCK_STEP_MS - 1, seen: ['a', 'c', 'home', 'new'] },
  // On a file system with longer steps than assumed, only the daily scan finds the change.
  { afterMs: MAX_CLOCK_STEP_MS, seen: ['a', 'c', 'home'] },
])(
  'a change within one step of the clock, scanned after $afterMs ms',
  async ({ afterMs, seen }) => {
    await using root = await makeRoot(files);
    const tree = openTree(root.dir);
    const time = Date.now();
    const frozen = (info: Stats | undefined) =>
      info && Object.assign(info, { mtimeMs: time, ctimeMs: time });
    const frozenTree = {
      ...tree,
      lookUp: (at: string) => frozen(tree.lookUp(at)),
      stat: async (at: string) => frozen(await tree.stat(at)),
    };
    const scanner = createScanner(frozenTree, { ...options, now: () => time + afterMs });
    await scanner.scan(homes);
    writeFileSync(join(root.dir, 'home/ada/src/b/.mcp.json'), server('new'));
    const { apps } = await scanner.scan(homes);
    const found = apps.filter(({ kind }) => kind === 'mcp_server').map(({ name }) => name);
    expect(found).toEqual(seen);
  },
);

/** Wraps a tree to count how often folders are listed and files are read. */
function countingTree(root: string) {
  const tree = openTree(root);
  const calls = { entries: 0, lookUp: 0, read: 0 };
  return {
    calls,
    tree: {
      ...tree,
      entries: (dir: string) => (calls.entries++, tree.entries(dir)),
      lookUp: (at: string) => (calls.lookUp++, tree.lookUp(at)),
      read: (at: string, limit: number) => (calls.read++, tree.read(at, limit)),
    },
  };
}

describe('without changes', () => {
  test.each([
    { by: 'times', watches: false, lookUps: 6 },
    // The home itself is always checked, because the folders above it are not watched.
    { by: 'a watch', watches: true, lookUps: 2 },
  ])('nothing is listed or read again, as known by $by', async ({ watches, lookUps }) => {
    await using root = await makeRoot(files);
    const { calls, tree } = countingTree(root.dir);
    const watcher = watches ? watch(root.dir) : noWatcher;
    const scanner = createScanner(tree, { ...options, watcher, now: later });
    const first = await scanner.scan(homes);
    Object.assign(calls, { entries: 0, lookUp: 0, read: 0 });
    expect(await scanner.scan(homes)).toEqual(first);
    watcher.stop();
    // The one read is the list of users, needed for running processes.
    expect(calls).toEqual({ entries: 0, lookUp: lookUps, read: 1 });
  });

  test('cached results are dropped after a day, and when other users are scanned', async () => {
    await using root = await makeRoot({ ...files, '/home/eve/.mcp.json': server('e') });
    const { calls, tree } = countingTree(root.dir);
    let time = later();
    const scanner = createScanner(tree, { ...options, now: () => time });
    const listings = async (who = homes) => {
      const before = calls.entries;
      await scanner.scan(who);
      return calls.entries - before;
    };
    expect(await listings()).toBe(5);
    expect(await listings()).toBe(0);
    expect(await listings([...homes, { user: 'eve', dir: '/home/eve' }])).toBe(6);
    time += 24 * 60 * 60 * 1000;
    expect(await listings()).toBe(5);
  });

  test('an abandoned scan leaves no cached results', async () => {
    await using root = await makeRoot(files);
    const watcher = watch(root.dir);
    const scanner = createScanner(openTree(root.dir), { ...options, watcher, now: later });
    await scanner.scan(homes);
    nextTick(root.dir);
    rmSync(join(root.dir, 'home/ada/src/a'), { recursive: true });
    await expect(
      scanner.scan(homes, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
    const { apps } = await scanner.scan(homes);
    watcher.stop();
    expect(apps.map(({ name }) => name)).not.toContain('a');
  });
});
