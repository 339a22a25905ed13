import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { setUpNotifications } from '../support/notifications.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface WebhookBody {
  type: string;
  timestamp: string;
  data: {
    rule: { id: string; name: string } | null;
    count: number;
    events: Record<string, unknown>[];
  };
}

describe.each(databases)('notifications on %s', (kind) => {
  const world = setUpNotifications(kind);
  const { uniqueName, addRule, openIncidents, deliveries } = world;

  /** Creates a webhook channel with a unique path. */
  async function webhook() {
    const path = `/${uniqueName('hook')}`;
    const body = {
      kind: 'webhook',
      name: uniqueName('webhook'),
      url: world.receiver.url + path,
    } as const;
    const channel = await world.service.byKey.notifications.createChannel({ body });
    const received = async (count: number) =>
      (await world.receiver.waitForRequests(count, path)).map((request) => ({
        ...request,
        json: JSON.parse(request.body) as WebhookBody,
      }));
    return { ...channel, path, received };
  }
  const oneDelivery = (channel_id: string, done: (status: string, attempts: number) => boolean) =>
    pollUntil(
      async () => (await deliveries({ channel_id })).results[0],
      (found) => found !== undefined && done(found.status, found.attempts),
    );

  test('an incident is sent as a signed request, and the secret is never shown again', async () => {
    world.service.setTime(T0);
    const { secret, received, ...channel } = await webhook();
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
    const { results } = await world.service.byKey.notifications.listChannels();
    expect(JSON.stringify(results)).not.toContain('whsec_');
    const rule = await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const agent = uniqueName('agent');
    const policy = await openIncidents([agent]);
    world.service.setTime(T0 + 6 * SECOND);
    const [request] = await received(1);
    const { headers, body, json } = request!;
    expect(json).toMatchObject({
      type: 'incident.raised',
      timestamp: new Date(T0).toISOString(),
      data: {
        rule: { id: rule.id, name: rule.name },
        count: 1,
        events: [
          {
            title: `${policy.name} blocked ${agent}`,
            severity: 'medium',
            agent_name: agent,
            policy: { id: policy.id, name: policy.name },
            device: null,
            url: expect.stringContaining('/incidents') as string,
            decide_url: null,
            details: { action: 'block', category: 'rate-limit' },
          },
        ],
      },
    });
    const id = headers['webhook-id'] as string;
    const timestamp = headers['webhook-timestamp'] as string;
    expect(Number(timestamp)).toBe((T0 + 6 * SECOND) / SECOND);
    const key = Buffer.from((secret ?? '').slice(6), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${mac}`);
    const delivery = await oneDelivery(channel.id, (status) => status === 'sent');
    expect(delivery).toMatchObject({
      id,
      attempts: 1,
      event: 'incident.raised',
      event_count: 1,
      subject: `${policy.name} blocked ${agent}`,
      last_answer: 'HTTP 200 OK: ok',
      last_error: null,
    });
  });

  test('after a rotation, requests have signatures with both secrets for a day', async () => {
    world.service.setTime(T0);
    const { secret: old, id, received } = await webhook();
    const params = { id };
    const { secret } = await world.service.byKey.notifications.rotateChannelSecret({ params });
    expect(secret).not.toBe(old);
    await world.service.byKey.notifications.testChannel({ params });
    world.service.setTime(T0 + 25 * HOUR);
    await world.service.byKey.notifications.testChannel({ params });
    const signatures = (await received(2)).map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('many events with one cause are one message', async () => {
    world.service.setTime(T0);
    const channel = await webhook();
    await addRule({
      events: ['incident.raised'],
      channel_ids: [channel.id],
      group_seconds: 60,
    });
    const agents = Array.from({ length: 12 }, () => uniqueName('agent'));
    await openIncidents(agents);
    await pollUntil(
      async () => (await deliveries({ channel_id: channel.id })).results,
      ([first]) => first?.event_count === 12,
    );
    world.service.setTime(T0 + 61 * SECOND);
    const requests = await channel.received(1);
    expect(requests.map(({ json }) => [json.data.count, json.data.events.length])).toEqual([
      [12, 12],
    ]);
    await oneDelivery(channel.id, (status) => status === 'sent');
    expect((await deliveries({ channel_id: channel.id })).count).toBe(1);
  });

  test('rules filter by severity, policy and agent', async () => {
    world.service.setTime(T0);
    const [wanted, other] = [uniqueName('billing'), uniqueName('other')];
    const channels = await Promise.all([webhook(), webhook(), webhook()]);
    const [byAgent, bySeverity, byPolicy] = channels.map(({ id }) => [id]);
    await addRule({
      events: ['incident.raised'],
      channel_ids: byAgent!,
      agents: ['billing*'],
    });
    await addRule({
      events: ['incident.raised'],
      channel_ids: bySeverity!,
      min_severity: 'critical',
    });
    const first = await openIncidents([wanted]);
    await addRule({
      events: ['incident.raised'],
      channel_ids: byPolicy!,
      policy_ids: [first.id],
    });
    await openIncidents([other]);
    world.service.setTime(T0 + 6 * SECOND);
    const [request] = await channels[0].received(1);
    expect(request?.json.data.events.map((one) => one.agent_name)).toEqual([wanted]);
    await oneDelivery(channels[0].id, (status) => status === 'sent');
    const counts = await Promise.all(
      channels.map(async ({ id }) => (await deliveries({ channel_id: id })).count),
    );
    expect([counts[0], counts[1]]).toEqual([1, 0]);
  });

  test('a failure is retried with the same id, then abandoned, and can be sent again', async () => {
    world.service.setTime(T0);
    world.receiver.respondWith({ status: 503, body: 'down\nfor a while' });
    const channel = await webhook();
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await openIncidents([uniqueName('agent')]);
    let now = T0 + 6 * SECOND;
    world.service.setTime(now);
    /** Resolves when this attempt has failed and the next one is scheduled. */
    const failedOnce = (attempts: number) =>
      pollUntil(
        async () => (await deliveries({ channel_id: channel.id })).results[0],
        (found) =>
          found?.attempts === attempts &&
          found.last_error !== null &&
          (found.status === 'failed' || Date.parse(found.due_at) > now),
      );
    const first = await failedOnce(1);
    expect(first).toMatchObject({
      status: 'waiting',
      last_error: 'answered HTTP 503 Service Unavailable: down for a while',
    });
    for (let attempts = 2; attempts <= 8; attempts += 1) {
      now += 8 * HOUR;
      world.service.setTime(now);
      await failedOnce(attempts);
    }
    const failed = await oneDelivery(channel.id, (status) => status === 'failed');
    expect(failed).toMatchObject({ id: first!.id, attempts: 8 });
    world.receiver.respondWith({ status: 200 });
    await world.service.byKey.notifications.redeliver({ params: { id: first!.id } });
    const sent = await oneDelivery(channel.id, (status) => status === 'sent');
    expect(sent).toMatchObject({ attempts: 1, last_answer: 'HTTP 200 OK', last_error: null });
    const ids = new Set((await channel.received(9)).map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([first!.id]);
  });

  test('a receiver that no longer exists is not retried, and redirects are not followed', async () => {
    const channel = await webhook();
    const params = { id: channel.id };
    const { testChannel } = world.service.byKey.notifications;
    world.receiver.respondWith({
      status: 302,
      headers: { Location: `${world.receiver.url}/elsewhere` },
    });
    expect(await testChannel({ params })).toEqual({
      delivered: false,
      answer: 'HTTP 302 Found (redirects are not followed)',
    });
    expect(world.receiver.requests.some(({ path }) => path === '/elsewhere')).toBe(false);
    world.service.setTime(T0);
    world.receiver.respondWith({ status: 410 });
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await openIncidents([uniqueName('agent')]);
    world.service.setTime(T0 + 6 * SECOND);
    const failed = await oneDelivery(channel.id, (status) => status === 'failed');
    expect(failed?.attempts).toBe(1);
  });

  test('only the beginning of a long response is read', async () => {
    const channel = await webhook();
    world.receiver.respondWith({ status: 200, body: 'x'.repeat(5_000_000) });
    const { answer } = await world.service.byKey.notifications.testChannel({
      params: { id: channel.id },
    });
    expect(answer.length).toBeLessThan(230);
  });

  test('quiet hours hold messages until they end, or drop them', async () => {
    // A Monday at 22:30 in Berlin.
    const night = Date.parse('2026-03-02T21:30:00.000Z');
    world.service.setTime(night);
    const [held, dropped] = [await webhook(), await webhook()];
    const quiet_hours = {
      time_zone: 'Europe/Berlin',
      periods: [{ days: [1], from: '22:00', to: '07:00' }],
    };
    await addRule({
      events: ['incident.raised'],
      channel_ids: [held.id],
      quiet_hours: { ...quiet_hours, during: 'hold' },
    });
    await addRule({
      events: ['incident.raised'],
      channel_ids: [dropped.id],
      quiet_hours: { ...quiet_hours, during: 'drop' },
    });
    await openIncidents([uniqueName('agent'), uniqueName('agent')]);
    const waiting = await pollUntil(
      async () => (await deliveries({ channel_id: held.id })).results[0],
      (found) => found?.event_count === 2,
    );
    expect(waiting).toMatchObject({ status: 'waiting', due_at: '2026-03-03T06:00:00.000Z' });
    const gone = await oneDelivery(dropped.id, (status) => status === 'dropped');
    expect(gone?.event_count).toBe(2);
    world.service.setTime(Date.parse('2026-03-03T06:00:00.000Z'));
    const [request] = await held.received(1);
    expect(request?.json.data.count).toBe(2);
    await expect(
      world.service.byKey.notifications.redeliver({ params: { id: gone!.id } }),
    ).rejects.toMatchObject({ status: 409 });
  });

  test('channels and rules with invalid settings are rejected with the reason', async () => {
    const { createChannel, updateChannel, deleteChannel, createNotificationRule } =
      world.service.byKey.notifications;
    const channel = await webhook();
    const url = `${world.receiver.url}/x`;
    await expect(
      createChannel({ body: { kind: 'webhook', name: channel.name, url } }),
    ).rejects.toMatchObject({ status: 409 });
    await expect(
      createChannel({ body: { kind: 'slack', name: 'f', url: 'ftp://example.test' } }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(
      updateChannel({ params: { id: channel.id }, body: { recipients: ['a@example.test'] } }),
    ).rejects.toMatchObject({ status: 400 });
    const body = { name: 'r', events: ['incident.raised' as const], channel_ids: ['nch_0'] };
    await expect(createNotificationRule({ body })).rejects.toMatchObject({ status: 404 });
    const rule = await addRule({ events: ['device.revoked'], channel_ids: [channel.id] });
    await expect(deleteChannel({ params: { id: channel.id } })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(rule.name) as string,
    });
    const params = { id: channel.id };
    const changed = await updateChannel({ params, body: { name: uniqueName('renamed'), url } });
    expect(changed.target).toBe(url);
    const replaced = await world.service.byKey.notifications.replaceNotificationRule({
      params: { id: rule.id },
      body: { name: rule.name, events: ['device.enrolled'], channel_ids: [channel.id] },
    });
    expect(replaced).toMatchObject({ events: ['device.enrolled'], enabled: true });
  });
});
