import { expect, test } from 'vitest';
import {
  type ActivationProgress,
  nextTasks,
  problemsInOutput,
  problemsInStatus,
} from './next-tasks.ts';
import type { ToolEvent } from './tool-output.ts';

const begun: ActivationProgress = { isActivated: false, isAwaitingApproval: false, proxy: null };
const waiting = { ...begun, isAwaitingApproval: true };
const active = { ...begun, isActivated: true };
const started = { ...active, proxy: 'started' } as const;
const stopped = { ...active, proxy: 'stopped' } as const;

const extensions = (...states: ('active' | 'needs_approval' | 'inactive')[]): ToolEvent[] =>
  states.map((state, i) => ({
    event: 'status',
    extension: `com.example.${i}`,
    state,
    versions: [],
  }));
const on: ToolEvent[] = extensions('active', 'active');
const filter = { event: 'status', configuration: 'filter', present: true, enabled: true } as const;
const proxy = { ...filter, configuration: 'proxy', running: true } as const;
const ended = { ...proxy, running: false };
const off = { ...ended, enabled: false };

test.each<[string, ActivationProgress, ToolEvent[], boolean, string[]]>([
  ['after a start, even if all is active', begun, [...on, filter], false, ['activate']],
  ['the extensions are unknown', begun, [], false, ['activate']],
  ['capture is on at the start', begun, on, true, ['activate', 'start-proxy']],
  ['capture was switched off meanwhile', begun, [...on, proxy], false, ['activate', 'stop-proxy']],
  ['a person has to allow both', waiting, extensions('needs_approval', 'needs_approval'), true, []],
  ['a person has allowed one', waiting, extensions('active', 'needs_approval'), true, []],
  ['the extensions cannot be seen while one waits', waiting, [], false, []],
  ['a person has refused', waiting, extensions('inactive', 'active'), false, []],
  ['a person has allowed both', waiting, on, true, ['activate', 'start-proxy']],
  ['nothing to do', active, [...on, filter], false, []],
  ['capture is switched on', stopped, [...on, filter, ended], true, ['start-proxy']],
  ['there is no proxy yet', active, [...on, filter], true, ['start-proxy']],
  ['the proxy of an earlier process runs', active, [proxy], true, ['start-proxy']],
  ['the proxy runs', started, [proxy], true, []],
  ['the proxy has ended by itself', started, [ended], true, ['start-proxy']],
  ['a user has switched the proxy off', started, [off], true, []],
  ['a user has removed the proxy', started, [filter], true, []],
  ['capture is switched off', started, [proxy], false, ['stop-proxy']],
  ['the proxy is stopped', stopped, [ended], false, []],
])('%s', (_, progress, status, needsProxy, expected) => {
  expect(nextTasks({ status, needsProxy, progress })).toEqual(expected);
});

test.each<[ToolEvent[], RegExp[]]>([
  [[{ event: 'activated', extension: 'a.b', needs_restart: false }], []],
  [[{ event: 'activated', extension: 'a.b', needs_restart: true }], [/^a\.b .* restarts$/]],
  [[{ event: 'needs_approval', extension: 'a.b' }], [/^a\.b waits for permission/]],
  [[{ event: 'failed', of: 'proxy', problem: 'denied', code: 10 }], [/^proxy: denied \(10\)$/]],
  [[{ event: 'done', ok: false }], []],
])('the problems in %j', (events, expected) => {
  expect(problemsInOutput(events)).toEqual(expected.map((line) => expect.stringMatching(line)));
});

test.each<[string, ActivationProgress, ToolEvent[], boolean, RegExp[]]>([
  ['before the activation', begun, [{ ...filter, enabled: false }], true, []],
  ['all is as it should be', started, [filter, proxy], true, []],
  ['the filter was switched off', active, [{ ...filter, enabled: false }], true, [/filter/]],
  ['the filter was removed', active, [{ ...filter, present: false }], false, [/filter/]],
  ['the proxy was switched off', started, [filter, off], true, [/transparent proxy/]],
  ['the proxy is off and not needed', started, [filter, off], false, []],
  ['nothing is known', started, [], true, []],
])('in the status, %s', (_, progress, status, needsProxy, expected) => {
  const lines = problemsInStatus({ status, needsProxy, progress });
  expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
});
