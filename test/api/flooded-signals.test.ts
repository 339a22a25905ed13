import { once } from 'node:events';
import { Server } from 'node:https';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_PATH } from '#contract/live.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { query } from '../support/postgres.ts';

const SIGNALS = 20_000;
/** The minimum interval in which the device listener renews its certificate. */
const EVERY_MS = 1000;

let controlPlane: TestControlPlane;
beforeAll(async () => {
  controlPlane = await startTestControlPlane('postgres');
});
afterAll(() => controlPlane.stop());

test('a flood of signals renews the certificate for devices at most once per second', async () => {
  const renewed = vi.spyOn(Server.prototype, 'setSecureContext');
  const { token } = await controlPlane.by({}).identity.login({ body: OWNER });
  const socket = new WebSocket(controlPlane.urls.public.replace('http', 'ws') + LIVE_PATH, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const began = performance.now();
  // Each signal is different, because PostgreSQL drops duplicates.
  await query(
    controlPlane.databaseUrl ?? '',
    `select pg_notify('gatehouse', json_build_object(
       'origin', 'elsewhere', 'tenant_id', 'tnt_' || i, 'topic', 'tenants')::text)
     from generate_series(1, ${SIGNALS}) i`,
  );
  const run = await controlPlane.byKey.recording.startRun({ body: { agent_name: 'a' } });
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(message.toString())).toEqual({ topic: 'runs', run_id: Number(run.run_id) });
  const seconds = (performance.now() - began) / EVERY_MS;
  expect(renewed.mock.calls.length).toBeLessThanOrEqual(1 + seconds);
  socket.terminate();
});
