import { chmodSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { createProblems, type Problems } from '../status/problems.ts';
import {
  type ExtensionsLimits,
  manageExtensions,
  type NetworkExtensions,
} from './manage-extensions.ts';
import {
  activated,
  createFakeExtensionsTool,
  extensionIds,
  type FakeExtensionsTool,
  statusOf,
} from './testing/fake-extensions-tool.ts';

let tool: FakeExtensionsTool;
let problems: Problems;
let extensions: NetworkExtensions | undefined;
let needsProxy: boolean;
beforeEach(() => {
  tool = createFakeExtensionsTool();
  problems = createProblems(createLog({ level: 'error', write: () => {} }));
  needsProxy = false;
});
afterEach(async () => {
  await extensions?.stop();
  tool.remove();
});

function start(limits: Partial<ExtensionsLimits> = {}): NetworkExtensions {
  extensions = manageExtensions({
    program: tool.program,
    needsProxy: () => needsProxy,
    problems,
    backoff: { firstMs: 5, maxMs: 20 },
    limits,
  });
  return extensions;
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 5 });
const calls = (...expected: string[]): Promise<void> =>
  until(() => expect(tool.calls()).toEqual(expected));
const problem = (line: RegExp): Promise<void> =>
  until(() => expect(problems.list()).toEqual([expect.stringMatching(line)]));
const noProblem = (): Promise<void> => until(() => expect(problems.list()).toEqual([]));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('at the start, the extensions are activated and the filter is configured', async () => {
  start();
  await calls('status', 'activate');
  expect(problems.list()).toEqual([]);
});

test('the proxy is started when a host is captured, and stopped when none is', async () => {
  const { update } = start();
  await calls('status', 'activate');
  update();
  needsProxy = true;
  tool.answer('status', ...statusOf('active', { enabled: false, running: false }));
  update();
  await calls('status', 'activate', 'status', 'start-proxy');
  tool.answer('status', ...statusOf('active', { enabled: true, running: true }));
  needsProxy = false;
  update();
  await calls('status', 'activate', 'status', 'start-proxy', 'status', 'stop-proxy');
  expect(problems.list()).toEqual([]);
});

test('a proxy that has ended is started again', async () => {
  needsProxy = true;
  start({ recheck: 10 });
  const running = { enabled: true, running: true };
  await until(() => expect(tool.calls()).toContain('start-proxy'));
  tool.answer('status', ...statusOf('active', running));
  const starts = (): number => tool.calls().filter((task) => task === 'start-proxy').length;
  const passes = (): number => tool.calls().filter((task) => task === 'status').length;
  const seen = passes() + 3;
  await until(() => expect(passes()).toBeGreaterThan(seen));
  const before = starts();
  tool.answer('status', ...statusOf('active', { ...running, running: false }));
  await until(() => expect(starts()).toBeGreaterThan(before));
  tool.answer('status', ...statusOf('active', { enabled: false, running: false }));
  await problem(/^network extensions: the transparent proxy was switched off/);
});

test('an approval is reported, awaited without another request, and then used', async () => {
  tool.answer('status', ...statusOf('needs_approval'));
  const waiting = extensionIds.map(
    (extension) => ({ event: 'needs_approval', extension }) as const,
  );
  tool.answer('activate', ...waiting);
  start();
  await until(() => expect(tool.calls().length).toBeGreaterThan(5));
  expect(tool.calls().filter((task) => task === 'activate')).toHaveLength(1);
  expect(problems.list()).toEqual(
    extensionIds.map((id) => expect.stringContaining(`${id} waits for permission`) as string),
  );
  tool.answer('activate', ...activated);
  tool.answer('status', ...statusOf('active'));
  await until(() => expect(tool.calls().filter((task) => task === 'activate')).toHaveLength(2));
  await noProblem();
});

test('a configuration that was refused is requested again later, and does not hold up the proxy', async () => {
  needsProxy = true;
  const failed = { event: 'failed', of: 'filter', problem: 'permission denied', code: 5 } as const;
  tool.answer('activate', ...activated.slice(0, 2), failed);
  start({ refused: 60_000 });
  await problem(/^network extensions: filter: permission denied \(5\)$/);
  expect(tool.calls()).toEqual(['status', 'activate', 'start-proxy']);
});

test('an activation that fails is tried again', async () => {
  const problemOf =
    'App containing System Extension to be activated must be in /Applications folder.';
  const failed = {
    event: 'failed',
    of: extensionIds[0] ?? '',
    problem: problemOf,
    code: 3,
  } as const;
  needsProxy = true;
  tool.answer('activate', failed);
  start();
  await problem(/flowmonitor: App containing System Extension .* \(3\)$/);
  await until(() => expect(tool.calls().length).toBeGreaterThan(4));
  expect(tool.calls()).not.toContain('start-proxy');
  tool.answer('activate', ...activated);
  await noProblem();
});

test.each<[string, 'status' | 'activate', string, RegExp]>([
  ['nothing', 'activate', '', /activate printed no result$/],
  ['garbage', 'status', 'head -c 4096 /dev/urandom', /status printed no result$/],
  ['a flood', 'status', 'yes', /status printed no result/],
  ['half a line', 'activate', 'printf \'{"event":"do\'', /activate printed no result$/],
  ['usage', 'activate', 'echo usage: x >&2; exit 2', /exited with 2: usage: x$/],
  ['no success, no reason', 'activate', `echo '{"event":"done","ok":false}'`, /did not succeed$/],
  ['a signal', 'status', 'kill -9 $$', /ended by SIGKILL: macOS may not accept its signature$/],
])('a program that gives %s is a problem until it works', async (_, task, script, expected) => {
  tool.run(task, script);
  start();
  await problem(expected);
  if (task === 'status') tool.answer('status', ...statusOf('active'));
  else tool.answer('activate', ...activated);
  await noProblem();
});

test.each<[string, () => void, RegExp]>([
  ['missing', () => rmSync(tool.program), /the app lacks its program gatehouse-extensions$/],
  ['not executable', () => chmodSync(tool.program, 0o644), /status printed no result/],
])('a program that is %s is a problem', async (_, make, expected) => {
  make();
  start();
  await problem(expected);
});

test('a program that hangs is ended, and a question to the user is not repeated at once', async () => {
  tool.run('activate', 'exec sleep 3600');
  start({ task: 100, refused: 60_000 });
  await problem(/activate did not end within 0\.1 seconds$/);
  expect(tool.calls()).toEqual(['status', 'activate']);
  await until(() => expect(tool.pids().filter(isAlive)).toEqual([]));
});

test('stopping does not wait for a program that hangs', async () => {
  tool.run('status', 'exec sleep 3600');
  const { stop } = start();
  await calls('status');
  await stop();
  await until(() => expect(tool.pids().filter(isAlive)).toEqual([]));
  expect(problems.list()).toEqual([]);
});

test('without a program, nothing happens', async () => {
  const none = manageExtensions({ program: null, needsProxy: () => true, problems });
  none.update();
  await none.stop();
  expect(problems.list()).toEqual([]);
});
