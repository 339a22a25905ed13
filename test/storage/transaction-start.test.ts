import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';

const clients = new Set<Socket>();
/** What clients sent since the last response that was passed to them. */
let sent = '';
let isHolding = false;
let release = (): void => {};

/** A proxy that can hold back the responses of the server. */
const proxy = createServer((client) => {
  clients.add(client);
  const { hostname, port } = new URL(database.databaseUrl ?? '');
  const server = connect(Number(port), hostname);
  let held: Buffer[] = [];
  client.on('data', (chunk) => {
    if (isHolding) sent += chunk.toString('latin1');
    server.write(chunk);
  });
  server.on('data', (chunk) => {
    if (!isHolding) return client.write(chunk);
    held.push(chunk);
    release = () => {
      isHolding = false;
      client.write(Buffer.concat(held));
      held = [];
    };
  });
  client.on('close', () => server.destroy()).on('error', () => undefined);
  server.on('close', () => client.destroy()).on('error', () => undefined);
});

let database: TestDatabase;
let storage: Storage;
beforeAll(async () => {
  database = await newDatabase('postgres');
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.databaseUrl ?? '');
  url.port = String((proxy.address() as AddressInfo).port);
  storage = await openStorage({ ...database, databaseUrl: url.href, onProblem: () => undefined });
  // The types of the columns are read before the first insert.
  await storage.transaction((tx) => tx.bulk.insert('steps', [step]));
});
afterAll(async () => {
  await storage.close();
  proxy.close();
  await database.remove();
});

const step = { tenant_id: 'tnt_1', run_id: 1, step_name: 's', output: null, created_at: 1 };
const stepNames = async () =>
  (await storage.db.selectFrom('steps').select('step_name').execute()).map((row) => row.step_name);

test('on postgres a transaction begins in the round trip of its first statement', async () => {
  sent = '';
  isHolding = true;
  const done = storage.transaction((tx) =>
    tx.bulk.insert('steps', [{ ...step, step_name: 'first' }]),
  );
  // No response arrives before both are sent.
  await expect.poll(() => sent).toMatch(/begin.*first/s);
  release();
  await done;
  expect(await stepNames()).toContain('first');
});

test('on postgres a transaction whose connection is lost while it begins is not committed', async () => {
  sent = '';
  isHolding = true;
  const failing = storage.transaction((tx) =>
    tx.bulk.insert('steps', [{ ...step, step_name: 'lost' }]),
  );
  const failed = failing.catch((error: unknown) => error);
  await expect.poll(() => sent).toMatch(/begin.*lost/s);
  isHolding = false;
  for (const client of clients) client.destroy();
  expect(await failed).toSatisfy((error) => storage.isUnavailable(error));
  expect(await stepNames()).not.toContain('lost');
});
