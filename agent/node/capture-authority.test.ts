import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConfiguration } from './configuration/configuration.ts';
import type { Connection } from './link/connection.ts';
import { openCredentials } from './identity/credentials.ts';
import { createLog } from './log.ts';
import { createProblems } from './status/problems.ts';
import { openState } from './state/state.ts';
import { captureOf } from './testing/control-plane.ts';
import { issuedFor } from './testing/issued.ts';

const DAY = 86_400_000;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'));
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

/** Starts a device with certificates of this age, whose control plane does not respond. */
async function startWith(age: number) {
  const credentials = openCredentials(dir, () => undefined);
  const config = captureOf(1, 'claude.ai');
  credentials.store(await issuedFor(credentials, { config, now: Date.now() - age }));
  const requestedParts: string[] = [];
  const applied: number[] = [];
  const connection: Partial<Connection> = {
    request: (part) => {
      requestedParts.push(part);
      return Promise.resolve({ kind: 'not_sent' });
    },
  };
  const configuration = createConfiguration({
    managed: () => managed,
    state: openState(dir),
    facts: { hardware_id: 'test-machine-0001' },
    credentials,
    connection: connection as Connection,
    problems: createProblems(createLog({ level: 'error', write: () => undefined })),
    signal: new AbortController().signal,
    onApplied: (version) => applied.push(version),
  });
  return { configuration, requestedParts, applied };
}

test('a valid authority is reused for another configuration with its hosts', async () => {
  const { configuration, requestedParts, applied } = await startWith(29 * DAY);
  await configuration.apply(captureOf(2, 'claude.ai'));
  expect([requestedParts, applied]).toEqual([[], [2]]);
  expect(configuration.effective()).toMatchObject({ version: 2, intercept_hosts: ['claude.ai'] });
});

test('an expired authority is not used, and the agent requests another one', async () => {
  const { configuration, requestedParts, applied } = await startWith(31 * DAY);
  await configuration.apply(captureOf(2, 'claude.ai'));
  expect([requestedParts, applied]).toEqual([['renewal'], []]);
  expect(configuration.effective()).toBeNull();
});

test('an authority for other hosts is not used, and the agent requests another one', async () => {
  const { configuration, requestedParts, applied } = await startWith(0);
  await configuration.apply(captureOf(2, 'claude.ai', 'api.openai.com'));
  expect([requestedParts, applied]).toEqual([['renewal'], []]);
});
