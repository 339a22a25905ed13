import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ResponseError } from '#contract/client.ts';
import { type Connection, createConnection } from './connection.ts';
import { type Credentials, openCredentials } from '../identity/credentials.ts';
import { createLog } from '../log.ts';
import { createProblems } from '../status/problems.ts';
import { noCapture } from '../testing/control-plane.ts';
import { issuedFor } from '../testing/issued.ts';

let dir: string;
let credentials: Credentials;
let connection: Connection;
let refused: number;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-connection-'));
  credentials = openCredentials(dir, () => undefined);
  await certify();
  refused = 0;
  connection = createConnection({
    managed: () => ({
      api_url: 'https://gatehouse.example',
      api_key: 'svc_sk_1',
      capture_enabled: false,
      intercept_hosts: [],
      intercept_processes: [],
    }),
    credentials,
    trustedRootsFile: null,
    problems: createProblems(createLog({ level: 'error', write: () => undefined })),
    onAccepted: () => undefined,
    onRefused: () => (refused += 1),
  });
});
afterEach(() => {
  connection.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Gives the device another certificate. */
const certify = async (): Promise<void> =>
  credentials.store(await issuedFor(credentials, { config: noCapture, now: Date.now() }));

const { signal } = new AbortController();
const unknown = new ResponseError(401, 'unknown device certificate', { code: 'unauthorized' });

test('an identity that the control plane does not know is refused', async () => {
  const answer = await connection.request('part', signal, () => Promise.reject(unknown));
  expect(answer).toMatchObject({ failure: { identityRefused: true } });
  expect(refused).toBe(1);
});

test('a response to the previous identity does not concern the current one', async () => {
  const answer = await connection.request('part', signal, async () => {
    await certify();
    // Another request uses the new identity meanwhile.
    connection.asDevice();
    throw unknown;
  });
  expect(answer).toMatchObject({ failure: { identityRefused: true } });
  expect(refused).toBe(0);
});

test('other failures do not count as a refusal of the identity', async () => {
  for (const error of [new ResponseError(403, 'suspended'), new Error('no answer')])
    await connection.request('part', signal, () => Promise.reject(error));
  expect([refused, connection.acceptedCount()]).toEqual([0, 0]);
});
