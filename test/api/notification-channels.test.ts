import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { decodeMail, type HttpReceiver, startHttpReceiver } from '../support/receivers.ts';
import { setUpNotifications } from '../support/notifications.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const SECOND = 1000;

describe.each(databases)('notifications on %s', (kind) => {
  const world = setUpNotifications(kind);
  const { uniqueName, addRule, openIncidents, deliveries } = world;

  test('Slack gets blocks in which the text of agents is not markup', async () => {
    world.service.setTime(T0);
    const path = `/${uniqueName('slack')}`;
    const body = {
      kind: 'slack',
      name: 'Slack',
      url: `${world.receiver.url}${path}/SECRET`,
    } as const;
    const channel = await world.service.byKey.notifications.createChannel({ body });
    expect(channel.target).toBe(`${world.receiver.url}/…`);
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const agent = uniqueName('<!channel> _agent_');
    await openIncidents([agent]);
    world.service.setTime(T0 + 6 * SECOND);
    const [request] = await world.receiver.waitForRequests(1, `${path}/SECRET`);
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
        url: expect.stringContaining(world.service.urls.public) as string,
      },
    ]);
  });

  test('Teams gets an Adaptive Card in which the text of agents is not markup', async () => {
    const path = `/${uniqueName('teams')}`;
    const body = { kind: 'teams', name: 'Teams', url: world.receiver.url + path } as const;
    const channel = await world.service.byKey.notifications.createChannel({ body });
    world.service.setTime(T0);
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    await openIncidents([uniqueName('[agent](https://evil.test)')]);
    world.service.setTime(T0 + 6 * SECOND);
    const [request] = await world.receiver.waitForRequests(1, path);
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

  test('email goes to each recipient separately; a permanent rejection is not retried', async () => {
    world.service.setTime(T0);
    const recipients = ['ada@example.test', 'bob@example.test'];
    const body = { kind: 'email', name: 'Email', recipients } as const;
    const channel = await world.service.byKey.notifications.createChannel({ body });
    expect(channel).toMatchObject({ problem: null, recipients, secret: null });
    await addRule({ events: ['incident.raised'], channel_ids: [channel.id] });
    const before = world.mail.mails.length;
    const agent = uniqueName('<b>agent</b>');
    await openIncidents([agent]);
    world.service.setTime(T0 + 6 * SECOND);
    const mails = (await world.mail.waitForMails(before + 2)).slice(before);
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(recipients);
    const text = decodeMail(mails[0]!);
    expect(text).toContain('From: Gatehouse <gatehouse@example.test>');
    expect(text).toMatch(/Subject: .*blocked/);
    expect(text).toContain('&lt;b&gt;agent&lt;/b&gt;');
    const sent = await pollUntil(
      async () => (await deliveries({ channel_id: channel.id, status: 'sent' })).results,
      ({ length }) => length === 2,
    );
    expect(
      sent.map(({ id }) => text.includes(`<${id}@example.test>`)).filter(Boolean),
    ).toHaveLength(1);
    expect(sent[0]?.last_answer).toMatch(/^250 /);
    world.mail.rejectWith({ code: 550, message: 'no such mailbox' });
    const params = { id: channel.id };
    expect(await world.service.byKey.notifications.testChannel({ params })).toEqual({
      delivered: false,
      answer: expect.stringMatching(
        /^ada@example\.test: the mail server answered 550 no such mailbox/,
      ) as string,
    });
  });
});

test('a receiver with TLS must have a trusted certificate', async () => {
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

describe('without settings by the operator', () => {
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

  test('an email channel reports that there is no mail server', async () => {
    const body = { kind: 'email' as const, name: 'e', recipients: ['a@example.test'] };
    const channel = await service.byKey.notifications.createChannel({ body });
    expect(channel.problem).toMatch(/^SMTP_URL and SMTP_FROM are not set/);
    const params = { id: channel.id };
    const { answer } = await service.byKey.notifications.testChannel({ params });
    expect(answer).toBe(channel.problem);
  });
});
