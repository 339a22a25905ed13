import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { createConfiguration } from './configuration.ts';
import type { Connection } from '../link/connection.ts';
import { openCredentials } from '../identity/credentials.ts';
import { createLog } from '../log.ts';
import { createProblems } from '../status/problems.ts';
import { openState } from '../state/state.ts';
import { stateEntries } from '../state/state-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-configuration-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const managed = {
  config: {
    api_url: 'https://gatehouse.example',
    api_key: 'svc_sk_1',
    capture_enabled: true,
    intercept_hosts: [],
    intercept_processes: [],
  },
  problems: [],
};

/** Starts an agent without a connection to its control plane, which these tests do not need. */
function start(requested: string[] = []) {
  const problems = createProblems(createLog({ level: 'error', write: () => {} }));
  const applied: number[] = [];
  const configuration = createConfiguration({
    managed: () => managed,
    state: openState(dir),
    facts: { hardware_id: 'test-machine-0001' },
    credentials: openCredentials(dir, () => {}),
    connection: {
      request: (part: string) => {
        requested.push(part);
        return Promise.resolve({ kind: 'not_sent' });
      },
    } as unknown as Connection,
    problems,
    signal: new AbortController().signal,
    onApplied: (version) => void applied.push(version),
  });
  return { configuration, problems, applied };
}

const received = (version: number, ...intercept_hosts: string[]): DeviceConfig => ({
  version,
  capture_enabled: intercept_hosts.length > 0,
  intercept_hosts,
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
});

const PROBLEM =
  'guard: the server named banking, health or mail hosts, which are never captured: ' +
  '"mail.google.com"';

test('a banking host from the server is dropped and reported, until the server names none', async () => {
  const { configuration, problems, applied } = start();
  await configuration.apply(received(3, 'mail.google.com'));
  expect(configuration.effective()).toMatchObject({ capture_enabled: false, intercept_hosts: [] });
  expect(problems.list()).toEqual([PROBLEM]);
  await configuration.apply(received(4));
  expect(problems.list()).toEqual([]);
  expect(applied).toEqual([3, 4]);
});

test('a configuration that cannot be stored is in force, and is fetched again until it is stored', async () => {
  const requested: string[] = [];
  const { configuration, problems, applied } = start(requested);
  await configuration.apply({ ...received(3), blocked_hosts: ['claude.ai'] });
  const notAFile = join(dir, `${stateEntries.record}.new`);
  mkdirSync(notAFile);
  await configuration.apply(received(4));
  expect(configuration.effective()).toMatchObject({ version: 4, blocked_hosts: [] });
  expect(applied).toEqual([3, 4]);
  expect(problems.list()).toEqual(['state: the configuration is not stored: EISDIR']);
  await configuration.sync(4);
  expect(requested).toEqual(['configuration']);
  rmSync(notAFile, { recursive: true });
  await configuration.apply(received(4));
  await configuration.sync(4);
  expect(requested).toEqual(['configuration']);
});

test('problems of the stored configuration are known after a restart', async () => {
  await start().configuration.apply(received(3, 'mail.google.com'));
  expect(start().problems.list()).toEqual([PROBLEM]);
});

test.each([
  ['without masking, as an earlier version did, is fetched again', received(3), ['configuration']],
  ['with masking is not', { ...received(3), masking: { keys: [], patterns: [] } }, []],
])('a configuration stored %s', async (_, stored, expected) => {
  await start().configuration.apply(stored);
  const requested: string[] = [];
  await start(requested).configuration.sync(3);
  expect(requested).toEqual(expected);
});
