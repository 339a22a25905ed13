import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNotifier } from '#control-plane/notifications/notifier.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { firstTenant } from '#control-plane/tenants/queries.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, startOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { type HttpReceiver, startHttpReceiver } from '../support/receivers.ts';

const SECRET_KEY = 'a key that is only used by tests of notifications';
const env = { SECRET_KEY, NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8' };
const device = { id: 'dev_1', hostname: 'mac', user: 'ada' };

describe.each(databases)('claims of notifications on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let receiver: HttpReceiver;
  const running: (() => Promise<void>)[] = [];
  let byKey: TestClient;
  let tenantId: string;

  const start = async () => {
    const { controlPlane } = await startOn(database, env);
    running.push(() => controlPlane.close());
    return controlPlane;
  };

  beforeAll(async () => {
    database = await newDatabase(kind);
    receiver = await startHttpReceiver();
    const { urls } = await start();
    // A SQLite database belongs to one control plane.
    if (kind === 'postgres') await Promise.all([start(), start()]);
    const headers = () => ({ 'X-Svc-Key': API_KEY });
    byKey = createClient(contract, { baseUrl: urls.public, headers });
    storage = await openStorage({ ...database, onProblem: () => undefined });
    ({ id: tenantId } = await firstTenant(storage.db));
  });
  afterAll(async () => {
    await Promise.all(running.map((close) => close()));
    await storage.close();
    await receiver.stop();
    await database.remove();
  });

  let made = 0;
  async function addRule(group_seconds: number) {
    const name = `rule-${(made += 1)}`;
    const path = `/${name}`;
    const { id } = await byKey.notifications.createChannel({
      body: { kind: 'webhook', name, url: receiver.url + path },
    });
    const body = { name, events: ['device.revoked' as const], channel_ids: [id], group_seconds };
    await byKey.notifications.createNotificationRule({ body });
    return { id, path };
  }

  const notify = createNotifier({
    now: () => Date.now(),
    newId: (prefix) => `${prefix}_${String((made += 1)).padStart(26, '0')}`,
  });
  const revoked = { event: 'device.revoked', device, by: 'test' } as const;

  test('an event that is rolled back with its cause is not sent', async () => {
    await addRule(5);
    const failed = storage.transaction(async (tx) => {
      await notify(tx, { ...revoked, tenantId });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    const left = await storage.db.selectFrom('notification_events').selectAll().execute();
    expect(left).toEqual([]);
  });

  test('each message is sent once, also with several processes', async () => {
    const rules = await Promise.all([addRule(5), addRule(6), addRule(7)]);
    for (let turn = 0; turn < 10; turn += 1)
      await storage.transaction((tx) => notify(tx, { ...revoked, tenantId }));
    const listSent = async () =>
      (await byKey.notifications.listDeliveries({ query: { status: 'sent' } })).results;
    const ownOf = (all: Awaited<ReturnType<typeof listSent>>, id: string) => {
      const own = all.filter(({ channel_id }) => channel_id === id);
      return { own, total: own.reduce((sum, { event_count }) => sum + event_count, 0) };
    };
    // On a busy machine the events of one rule may be sent in several messages.
    const sent = await pollUntil(listSent, (all) =>
      rules.every(({ id }) => ownOf(all, id).total >= 10),
    );
    for (const { id, path } of rules) {
      const { own, total } = ownOf(sent, id);
      const received = await receiver.waitForRequests(own.length, path);
      expect([total, received.length, own.map(({ attempts }) => attempts)]).toEqual([
        10,
        own.length,
        own.map(() => 1),
      ]);
    }
  });

  test('a message whose process ended is sent by another one with the same id', async () => {
    const { id, path } = await addRule(86_400);
    await storage.transaction((tx) => notify(tx, { ...revoked, tenantId }));
    const waiting = await pollUntil(
      async () =>
        (await byKey.notifications.listDeliveries({ query: { channel_id: id } })).results[0],
      (found) => found !== undefined,
    );
    // The state after a process was killed during its attempt.
    await storage.db
      .updateTable('notification_deliveries')
      .set({
        attempts: 1,
        due_at: Date.now(),
        lease_owner: 'gone',
        lease_until: Date.now() + 2000,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', waiting!.id)
      .execute();
    const [request] = await receiver.waitForRequests(1, path);
    expect(request?.headers['webhook-id']).toBe(waiting!.id);
    const { results } = await byKey.notifications.listDeliveries({ query: { channel_id: id } });
    expect(results[0]?.attempts).toBe(2);
  });
});
