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

test('a scan ends with its signal', async () => {
  const thread = createInventoryThread({ program: programOf(`${LISTENS} })`) });
  threads.push(thread);
  const stopping = new AbortController();
  const scanning = thread.scan(stopping.signal);
  stopping.abort(new Error('enough'));
  await expect(scanning).rejects.toThrow('enough');
});
