import { createHmac } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { notificationRoutes } from '#contract/notifications.ts';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { eventually } from '../support/processes.ts';
import {
  decoded,
  type HttpReceiver,
  type MailServer,
  startHttpReceiver,
  startMailServer,
} from '../support/receivers.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type NewRule = RouteRequest<typeof notificationRoutes.createNotificationRule>['body'];

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
  let service: TestControlPlane;
  let receiver: HttpReceiver;
  let mail: MailServer;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    mail = await startMailServer();
    service = await startTestControlPlane(kind, {
      NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8',
      SMTP_URL: mail.url,
      SMTP_FROM: 'Gatehouse <gatehouse@example.test>',
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await mail.stop();
  });
  afterEach(async () => {
    receiver.answer({ status: 200, body: 'ok' });
    mail.refuse(undefined);
    for (const { id } of (await service.byKey.notifications.listNotificationRules()).results)
      await service.byKey.notifications.deleteNotificationRule({ params: { id } });
    for (const { id } of (await service.byKey.notifications.listChannels()).results)
      await service.byKey.notifications.deleteChannel({ params: { id } });
    service.setTime(undefined);
  });

  let made = 0;
  const fresh = (what: string): string => `${what}-${(made += 1)}`;

  /** A webhook at a path of its own. */
  async function webhook() {
    const path = `/${fresh('hook')}`;
    const body = { kind: 'webhook', name: fresh('webhook'), url: receiver.url + path } as const;
    const channel = await service.byKey.notifications.createChannel({ body });
    const received = async (count: number) =>
      (await receiver.received(count, path)).map((request) => ({
        ...request,
        json: JSON.parse(request.body) as WebhookBody,
      }));
    return { ...channel, path, received };
  }

  const addRule = (rule: Omit<NewRule, 'name'>) =>
    service.byKey.notifications.createNotificationRule({
      body: { name: fresh('rule'), group_seconds: 5, ...rule },
    });

  /** A policy that blocks the second start of any of these agents. */
  const limitStarts = (agents: string[]) =>
    service.byKey.policies.createPolicy({
      body: {
        name: fresh('policy'),
        category: 'rate-limit',
        rules: { max_per_hour: 1 },
        scope: { agents },
      },
    });
  const check = (agent_name: string) =>
    service.byKey.evaluations.checkPolicy({ body: { agent_name, workflow_name: 'w' } });
  /** Opens an incident about each agent. */
  async function raise(agents: string[]) {
    const policy = await limitStarts(agents);
    for (const agent of agents) {
      await check(agent);
      expect((await check(agent)).action).toBe('block');
    }
    return policy;
  }

  const deliveries = (query: object = {}) => service.byKey.notifications.listDeliveries({ query });
  const oneDelivery = (channel_id: string, done: (status: string, attempts: number) => boolean) =>
    eventually(
      async () => (await deliveries({ channel_id })).results[0],
      (found) => found !== undefined && done(found.status, found.attempts),
    );

  test('an incident is a signed request, and the secret is never shown again', async () => {
    service.setTime(T0);
    const { secret, received, ...channel } = await webhook();
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
    const { results } = await service.byKey.notifications.listChannels();
    expect(JSON.stringify(results)).not.toContain('whsec_');
    const rule = await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const agent = fresh('agent');
    const policy = await raise([agent]);
    service.setTime(T0 + 6 * SECOND);
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

  test('after a rotation, requests carry signatures of both secrets for a day', async () => {
    service.setTime(T0);
    const { secret: old, id, received } = await webhook();
    const params = { id };
    const { secret } = await service.byKey.notifications.rotateChannelSecret({ params });
    expect(secret).not.toBe(old);
    await service.byKey.notifications.testChannel({ params });
    service.setTime(T0 + 25 * HOUR);
    await service.byKey.notifications.testChannel({ params });
    const signatures = (await received(2)).map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('a storm of one cause is one message', async () => {
    service.setTime(T0);
    const channel = await webhook();
    await addRule({
      events: ['incident.raised'],
      channel_ids: [channel.id],
      group_seconds: 60,
    });
    const agents = Array.from({ length: 12 }, () => fresh('agent'));
    await raise(agents);
    await eventually(
      async () => (await deliveries({ channel_id: channel.id })).results,
      ([first]) => first?.event_count === 12,
    );
    service.setTime(T0 + 61 * SECOND);
    const requests = await channel.received(1);
    expect(requests.map(({ json }) => [json.data.count, json.data.events.length])).toEqual([
      [12, 12],
    ]);
    await oneDelivery(channel.id, (status) => status === 'sent');
    expect((await deliveries({ channel_id: channel.id })).count).toBe(1);
  });

  test('rules filter by severity, policy and agent', async () => {
    service.setTime(T0);
    const [wanted, other] = [fresh('billing'), fresh('other')];
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
    const first = await raise([wanted]);
    await addRule({
      events: ['incident.raised'],
      channel_ids: byPolicy!,
      policy_ids: [first.id],
    });
    await raise([other]);
    service.setTime(T0 + 6 * SECOND);
    const [request] = await channels[0].received(1);
    expect(request?.json.data.events.map((one) => one.agent_name)).toEqual([wanted]);
    await oneDelivery(channels[0].id, (status) => status === 'sent');
    const counts = await Promise.all(
      channels.map(async ({ id }) => (await deliveries({ channel_id: id })).count),
    );
    expect([counts[0], counts[1]]).toEqual([1, 0]);
  });

  test('a failure is repeated with the same id, then given up, and can be sent again', async () => {
    service.setTime(T0);
    receiver.answer({ status: 503, body: 'down\nfor a while' });
    const channel = await webhook();
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await raise([fresh('agent')]);
    let now = T0 + 6 * SECOND;
    service.setTime(now);
    /** Resolves when this attempt has failed and the next one has its time. */
    const failedOnce = (attempts: number) =>
      eventually(
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
      service.setTime(now);
      await failedOnce(attempts);
    }
    const failed = await oneDelivery(channel.id, (status) => status === 'failed');
    expect(failed).toMatchObject({ id: first!.id, attempts: 8 });
    receiver.answer({ status: 200 });
    await service.byKey.notifications.redeliver({ params: { id: first!.id } });
    const sent = await oneDelivery(channel.id, (status) => status === 'sent');
    expect(sent).toMatchObject({ attempts: 1, last_answer: 'HTTP 200 OK', last_error: null });
    const ids = new Set((await channel.received(9)).map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([first!.id]);
  });

  test('a receiver that is gone is given up at once, and redirects are not followed', async () => {
    const channel = await webhook();
    const params = { id: channel.id };
    const { testChannel } = service.byKey.notifications;
    receiver.answer({ status: 302, headers: { Location: `${receiver.url}/elsewhere` } });
    expect(await testChannel({ params })).toEqual({
      delivered: false,
      answer: 'HTTP 302 Found (redirects are not followed)',
    });
    expect(receiver.requests.some(({ path }) => path === '/elsewhere')).toBe(false);
    service.setTime(T0);
    receiver.answer({ status: 410 });
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await raise([fresh('agent')]);
    service.setTime(T0 + 6 * SECOND);
    const failed = await oneDelivery(channel.id, (status) => status === 'failed');
    expect(failed?.attempts).toBe(1);
  });

  test('of a long answer only the beginning is read', async () => {
    const channel = await webhook();
    receiver.answer({ status: 200, body: 'x'.repeat(5_000_000) });
    const { answer } = await service.byKey.notifications.testChannel({
      params: { id: channel.id },
    });
    expect(answer.length).toBeLessThan(230);
  });

  test('Slack gets blocks, in which text of agents is no markup', async () => {
    service.setTime(T0);
    const path = `/${fresh('slack')}`;
    const body = { kind: 'slack', name: 'Slack', url: `${receiver.url}${path}/SECRET` } as const;
    const channel = await service.byKey.notifications.createChannel({ body });
    expect(channel.target).toBe(`${receiver.url}/…`);
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const agent = fresh('<!channel> _agent_');
    await raise([agent]);
    service.setTime(T0 + 6 * SECOND);
    const [request] = await receiver.received(1, `${path}/SECRET`);
    const { text, blocks } = JSON.parse(request!.body) as {
      text: string;
      blocks: { type: string; text?: { type: string; text: string }; elements?: object[] }[];
    };
    expect(text).toContain('&lt;!channel&gt;');
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions', 'context']);
    expect(blocks[0]?.text).toMatchObject({ type: 'plain_text' });
    expect(blocks[0]?.text?.text).toContain(agent);
    expect(blocks[2]?.elements).toEqual([
      {
        type: 'button',
        text: { type: 'plain_text', text: 'Open' },
        url: expect.stringContaining(service.urls.public) as string,
      },
    ]);
  });

  test('Teams gets an Adaptive Card, in which text of agents is no markup', async () => {
    const path = `/${fresh('teams')}`;
    const body = { kind: 'teams', name: 'Teams', url: receiver.url + path } as const;
    const channel = await service.byKey.notifications.createChannel({ body });
    service.setTime(T0);
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await raise([fresh('[agent](https://evil.test)')]);
    service.setTime(T0 + 6 * SECOND);
    const [request] = await receiver.received(1, path);
    const message = JSON.parse(request!.body) as {
      type: string;
      attachments: { contentType: string; content: { type: string; body: { text: string }[] } }[];
    };
    expect(message).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: { type: 'AdaptiveCard', version: '1.4' },
        },
      ],
    });
    expect(message.attachments[0]?.content.body[0]?.text).toContain(
      String.raw`\[agent\]\(https://evil.test\)`,
    );
  });

  test('email goes to each recipient on its own; a final refusal is given up at once', async () => {
    service.setTime(T0);
    const recipients = ['ada@example.test', 'bob@example.test'];
    const body = { kind: 'email', name: 'Email', recipients } as const;
    const channel = await service.byKey.notifications.createChannel({ body });
    expect(channel).toMatchObject({ problem: null, recipients, secret: null });
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const before = mail.mails.length;
    const agent = fresh('<b>agent</b>');
    await raise([agent]);
    service.setTime(T0 + 6 * SECOND);
    const mails = (await mail.received(before + 2)).slice(before);
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(recipients);
    const text = decoded(mails[0]!);
    expect(text).toContain('From: Gatehouse <gatehouse@example.test>');
    expect(text).toMatch(/Subject: .*blocked/);
    expect(text).toContain('&lt;b&gt;agent&lt;/b&gt;');
    const sent = await eventually(
      async () => (await deliveries({ channel_id: channel.id, status: 'sent' })).results,
      ({ length }) => length === 2,
    );
    expect(
      sent.map(({ id }) => text.includes(`<${id}@example.test>`)).filter(Boolean),
    ).toHaveLength(1);
    expect(sent[0]?.last_answer).toMatch(/^250 /);
    mail.refuse({ code: 550, message: 'no such mailbox' });
    const params = { id: channel.id };
    expect(await service.byKey.notifications.testChannel({ params })).toEqual({
      delivered: false,
      answer: expect.stringMatching(
        /^ada@example\.test: the mail server answered 550 no such mailbox/,
      ) as string,
    });
  });

  test('quiet hours hold messages until they end, or drop them', async () => {
    // A Monday at 22:30 in Berlin.
    const night = Date.parse('2026-03-02T21:30:00.000Z');
    service.setTime(night);
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
    await raise([fresh('agent'), fresh('agent')]);
    const waiting = await eventually(
      async () => (await deliveries({ channel_id: held.id })).results[0],
      (found) => found?.event_count === 2,
    );
    expect(waiting).toMatchObject({ status: 'waiting', due_at: '2026-03-03T06:00:00.000Z' });
    const gone = await oneDelivery(dropped.id, (status) => status === 'dropped');
    expect(gone?.event_count).toBe(2);
    service.setTime(Date.parse('2026-03-03T06:00:00.000Z'));
    const [request] = await held.received(1);
    expect(request?.json.data.count).toBe(2);
    await expect(
      service.byKey.notifications.redeliver({ params: { id: gone!.id } }),
    ).rejects.toMatchObject({ status: 409 });
  });

  test('channels and rules say what is wrong with them', async () => {
    const { createChannel, updateChannel, deleteChannel, createNotificationRule } =
      service.byKey.notifications;
    const channel = await webhook();
    const url = `${receiver.url}/x`;
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
    const changed = await updateChannel({ params, body: { name: fresh('renamed'), url } });
    expect(changed.target).toBe(url);
    const replaced = await service.byKey.notifications.replaceNotificationRule({
      params: { id: rule.id },
      body: { name: rule.name, events: ['device.enrolled'], channel_ids: [channel.id] },
    });
    expect(replaced).toMatchObject({ events: ['device.enrolled'], enabled: true });
  });
});

test('a receiver with TLS is reached only if its certificate is trusted', async () => {
  const now = Date.now();
  const root = await createRoot({ name: 'Receiver', now });
  const own = await issueServerCertificate(root, { names: ['localhost'], now });
  const receiver = await startHttpReceiver({ key: own.privateKeyPem, cert: own.certificatePem });
  const env = { NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8,::1' };
  const service = await startTestControlPlane('sqlite', env);
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const { notifications } = service.byKey;
  const { id } = await notifications.createChannel({ body: { kind: 'webhook', name: 'tls', url } });
  const { host } = new URL(url);
  expect(await notifications.testChannel({ params: { id } })).toEqual({
    delivered: false,
    answer: `${host}: its certificate is not trusted`,
  });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, root.certificatePem]);
  const answer = await notifications.testChannel({ params: { id } });
  setDefaultCACertificates(trusted);
  expect(answer).toEqual({ delivered: true, answer: 'HTTP 200 OK: ok' });
  await service.stop();
  await receiver.stop();
});

describe('without settings of the operator', () => {
  let service: TestControlPlane;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    service = await startTestControlPlane('sqlite');
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  test.each([
    () => receiver.url,
    () => receiver.url.replace('127.0.0.1', 'localhost'),
    () => receiver.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    () => 'https://169.254.169.254/latest/meta-data',
    () => 'https://[fd00::1]/',
  ])('nothing is sent to a private address', async (url) => {
    const body = { kind: 'webhook', name: url(), url: url() } as const;
    const { id } = await service.byKey.notifications.createChannel({ body });
    const { delivered, answer } = await service.byKey.notifications.testChannel({ params: { id } });
    expect([delivered, answer]).toEqual([false, expect.stringContaining('is a private address')]);
    expect(receiver.requests).toEqual([]);
  });

  test('an email channel says that there is no mail server', async () => {
    const body = { kind: 'email' as const, name: 'e', recipients: ['a@example.test'] };
    const channel = await service.byKey.notifications.createChannel({ body });
    expect(channel.problem).toMatch(/^SMTP_URL and SMTP_FROM are not set/);
    const params = { id: channel.id };
    const { answer } = await service.byKey.notifications.testChannel({ params });
    expect(answer).toBe(channel.problem);
  });
});
