import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createInventoryThread, type InventoryThread } from './inventory-thread.ts';
import { json, makeRoot } from './testing/fixtures.ts';

const server = (name: string) => json({ mcpServers: { [name]: { command: 'a' } } });
const files = {
  '/etc/passwd': 'ada:x:1000:1000::/home/ada:/bin/sh\neve:x:1001:1001::/home/eve:/bin/sh\n',
  '/home/ada/.cursor/mcp.json': server('of-ada'),
  '/home/eve/src/app/.mcp.json': server('of-eve'),
};

const { signal } = new AbortController();
const threads: InventoryThread[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.stop())));

function start(root: string): InventoryThread {
  const thread = createInventoryThread({ root, watchIntervalMs: 5 });
  threads.push(thread);
  return thread;
}

const next = (thread: InventoryThread) =>
  new Promise<void>((resolve) => thread.changed.subscribe(resolve));

const found = async (thread: InventoryThread) =>
  (await thread.scan(signal)).apps.map(({ name, user }) => `${name} ${user}`);

test('every readable home is scanned, with the name of its user', async () => {
  await using root = await makeRoot(files);
  expect(await found(start(root.dir))).toEqual(['of-ada ada', 'of-eve eve']);
});

describe.runIf(process.platform === 'linux')('after a scan', () => {
  test.each<[string, (home: string) => void, string[]]>([
    [
      'a configuration that was missing',
      (home) => writeFileSync(join(home, '.mcp.json'), server('new')),
      ['new ada', 'of-ada ada', 'of-eve eve'],
    ],
    [
      'one in a folder that was missing',
      (home) => {
        mkdirSync(join(home, '.kiro/settings'), { recursive: true });
        writeFileSync(join(home, '.kiro/settings/mcp.json'), server('new'));
      },
      ['new ada', 'of-ada ada', 'of-eve eve'],
    ],
    [
      'a new project',
      (home) => {
        mkdirSync(join(home, 'work/new'), { recursive: true });
        writeFileSync(join(home, 'work/new/.mcp.json'), server('new'));
      },
      ['new ada', 'of-ada ada', 'of-eve eve'],
    ],
    [
      'a file that is rewritten',
      (home) => writeFileSync(join(home, '.cursor/mcp.json'), server('other')),
      ['of-eve eve', 'other ada'],
    ],
    ['a file that goes away', (home) => rmSync(join(home, '.cursor/mcp.json')), ['of-eve eve']],
  ])('%s is reported by the watch, and found', async (_, act, expected) => {
    await using root = await makeRoot(files);
    const thread = start(root.dir);
    await thread.scan(signal);
    const changed = next(thread);
    act(join(root.dir, 'home/ada'));
    await changed;
    await expect.poll(() => found(thread)).toEqual(expected);
  });
});

test.runIf(process.platform === 'linux')('only this thread has the lowest priority', async () => {
  await using root = await makeRoot(files);
  const thread = start(root.dir);
  await thread.scan(signal);
  const nice = (task: string) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
    // The fields after the name, which may contain blanks: state is field 3, nice field 19.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  };
  const all = readdirSync('/proc/self/task').map(nice);
  expect(all.filter((value) => value === 19)).toHaveLength(1);
  expect(nice(String(process.pid))).toBeLessThan(19);
});

const programOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const LISTENS =
  "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {";

test('a hanging scan is abandoned, with a reason', async () => {
  const program = programOf(
    `${LISTENS} for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); })`,
  );
  const thread = createInventoryThread({ program, timeoutMs: 50 });
  threads.push(thread);
  const first = thread.scan(signal);
  await expect(first).rejects.toThrow('not done within 0.05 s: a file system does not answer');
});

test('a failed thread is replaced', async () => {
  const program = programOf(`${LISTENS} throw new Error('broken'); })`);
  const thread = createInventoryThread({ program });
  threads.push(thread);
  await expect(thread.scan(signal)).rejects.toThrow('broken');
  await expect
    .poll(() => thread.scan(signal).catch((error: Error) => error.message))
    .toBe('broken');
});

/** Allocates without end if it scans one of these homes. */
const hungry = (large: string[]) =>
  programOf(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ excluded, only }) => {
      const all = ['/home/a', '/home/b', '/home/c'];
      parentPort.postMessage({ homes: all });
      const apps = all.filter((dir) => !excluded.includes(dir) && (only ?? dir) === dir);
      const isTooMuch = apps.filter((dir) => ${JSON.stringify(large)}.includes(dir)).length > ${large.length > 1 ? 1 : 0};
      for (const all = []; isTooMuch; all.push({ all }));
      parentPort.postMessage({ inventory: { apps }, heapBytes: only === '/home/b' ? 2 : 1 });
    })`);

test.each([
  ['a home that does not fit in memory', ['/home/c'], ['/home/a', '/home/b']],
  ['the larger of two that do not fit together', ['/home/b', '/home/c'], ['/home/a', '/home/c']],
])('%s is left out', async (_, large, scanned) => {
  const thread = createInventoryThread({ program: hungry(large), maxHeapMb: 16 });
  threads.push(thread);
  expect((await thread.scan(signal)).apps).toEqual(scanned);
  expect((await thread.scan(signal)).apps).toEqual(scanned);
});

test.each([
  ['.config/google-chrome/Default/Preferences', `[${'[],'.repeat(5_000_000)}[]]`, undefined],
  [
    '.config/google-chrome/Default/Preferences',
    `{${Array.from({ length: 500_000 }, () => '"a":{"a":{}},').join('')}"a":{}}`,
    undefined,
  ],
  ['.config/goose/config.yaml', `x: [${'a,'.repeat(500_000)}]`, 'declares too much, not read'],
  ['.config/goose/config.yaml', `x: ${'!a '.repeat(300_000)}`, 'declares too much, not read'],
  [
    '.config/JetBrains/IDE/options/llm.mcpServers.xml',
    `<a>${'<b/>'.repeat(200_000)}</a>`,
    'declares too much, not read',
  ],
  ['.codex/config.toml', '[[a]]\n'.repeat(100_000), 'declares too much, not read'],
])('a large %s is read in little memory, or not', async (path, text, problem) => {
  await using root = await makeRoot({ ...files, [`/home/eve/${path}`]: text });
  const { apps, problems } = await start(root.dir).scan(signal);
  expect(apps.map(({ name }) => name)).toEqual(['of-ada', 'of-eve']);
  expect(problems).toEqual(problem === undefined ? [] : [`/home/eve/${path}: ${problem}`]);
});

test('a home with more servers than fit in memory does not hide those of others', async () => {
  const server = { command: 'a', args: Array.from({ length: 20 }, () => 'x'.repeat(40)) };
  const mcpServers = Object.fromEntries(Array.from({ length: 900 }, (__, i) => [`s${i}`, server]));
  const projects = Array.from({ length: 40 }, (__, i) => [
    `/home/eve/src/${i}/.mcp.json`,
    JSON.stringify({ mcpServers }),
  ]);
  await using root = await makeRoot({ ...files, ...Object.fromEntries(projects) });
  const thread = createInventoryThread({ root: root.dir, maxHeapMb: 32 });
  threads.push(thread);
  const { apps, problems, notRead } = await thread.scan(signal);
  expect(apps.map(({ name, user }) => `${name} ${user}`)).toEqual(['of-ada ada']);
  const reason = 'its scan takes more memory than a scan may use';
  expect(problems).toContain(`/home/eve: ${reason}`);
  expect(notRead).toContainEqual({ kind: null, path: '/home/eve/', reason });
});

test('a scan ends with its signal', async () => {
  const thread = createInventoryThread({ program: programOf(`${LISTENS} })`) });
  threads.push(thread);
  const stopping = new AbortController();
  const scanning = thread.scan(stopping.signal);
  stopping.abort(new Error('enough'));
  await expect(scanning).rejects.toThrow('enough');
});
