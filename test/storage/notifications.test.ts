import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { Signal } from '#control-plane/storage/signals.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';
import { query } from '../support/postgres.ts';
import { pollUntil } from '../support/processes.ts';

const role = `stranger_${randomBytes(4).toString('hex')}`;
const heard: Signal[] = [];
const problems: string[] = [];
let database: TestDatabase;
let storage: Storage;
/** A role that may only connect. */
let stranger: Client;

const notify = (payload: string) =>
  stranger.query('select pg_notify($1, $2)', ['gatehouse', payload]);

/** Waits until a valid notification is received; all earlier ones have arrived by then. */
async function untilHeard(tenantId: string): Promise<void> {
  const payload = JSON.stringify({ origin: 'elsewhere', tenant_id: tenantId, topic: 'runs' });
  await pollUntil(
    async () => {
      await notify(payload);
      return heard.some(({ tenant_id }) => tenant_id === tenantId);
    },
    (isHeard) => isHeard,
  );
}

beforeAll(async () => {
  database = await newDatabase('postgres');
  await query(inject('postgresUrl'), `create role ${role} login`);
  storage = await openStorage({ ...database, onProblem: (line) => problems.push(line) });
  storage.signals.subscribe((signal) => heard.push(signal));
  const url = new URL(database.databaseUrl ?? '');
  url.username = role;
  stranger = new Client({ connectionString: url.href });
  await stranger.connect();
  await untilHeard('tnt_before');
});
afterAll(async () => {
  await stranger.end();
  await storage.close();
  await database.remove();
  await query(inject('postgresUrl'), `drop role ${role}`);
});

test('invalid notifications from an unprivileged role end no process, and are one line in the log', async () => {
  await stranger.query(`notify gatehouse`);
  for (const payload of ['x', 'null', '[]', '{"__proto__":{"origin":"x"}}', 'y'.repeat(7999)])
    await notify(payload);
  const payloads = fc.oneof(
    fc.json(),
    fc.string().map((text) => text.replaceAll('\0', '')),
  );
  await fc.assert(
    fc.asyncProperty(payloads, async (payload) => {
      await notify(payload.slice(0, 1500));
    }),
  );
  await untilHeard('tnt_after');
  expect(new Set(heard.map(({ tenant_id }) => tenant_id))).toEqual(
    new Set(['tnt_before', 'tnt_after']),
  );
  expect(problems).toEqual([
    'PostgreSQL notification on "gatehouse" ignored: not sent by a control plane',
  ]);
});

test('a listening connection that ends is replaced', async () => {
  await query(
    database.databaseUrl ?? '',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen gatehouse'`,
  );
  await untilHeard('tnt_again');
  const listening = () =>
    query(
      database.databaseUrl ?? '',
      `select count(*)::int as listening from pg_stat_activity
       where datname = current_database() and query = 'listen gatehouse'`,
    );
  // The old backend may take a moment to end.
  await expect.poll(listening).toEqual([{ listening: 1 }]);
});
