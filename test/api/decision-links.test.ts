import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { setUpNotifications } from '../support/notifications.ts';
import { decodeMail } from '../support/receivers.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe.each(databases)('decision links on %s', (kind) => {
  const world = setUpNotifications(kind);

  let made = 0;

  /** Creates an approval request of which a webhook was notified. */
  async function requested({ decide_by_link = true, approvers = [] as string[] } = {}) {
    world.service.setTime(T0);
    const { notifications } = world.service.byKey;
    const name = `links-${(made += 1)}`;
    const url = `${world.receiver.url}/${name}`;
    const { id } = await notifications.createChannel({ body: { kind: 'webhook', name, url } });
    const body = {
      name,
      events: ['approval.requested' as const],
      agents: [name],
      channel_ids: [id],
      group_seconds: 5,
      decide_by_link,
    };
    const rule = await notifications.createNotificationRule({ body });
    const rules = { require_approval_for: ['deploy'], approvers };
    await world.service.byKey.policies.createPolicy({
      body: { name, category: 'approval', rules, scope: { agents: [name] } },
    });
    const check = () =>
      world.service.byKey.evaluations.checkPolicy({
        body: { agent_name: name, workflow_name: 'deploy' },
      });
    const approval = (await check()).metadata.approval_id as string;
    world.service.setTime(T0 + 6 * SECOND);
    const [request] = await world.receiver.waitForRequests(1, `/${name}`);
    const { data } = JSON.parse(request!.body) as {
      data: { events: { decide_url: string | null }[] };
    };
    const decide = data.events[0]?.decide_url;
    const token = decide ? new URL(decide).hash.slice(1) : '';
    return { id, name, rule: { ...rule, body }, approval, token, decide, check };
  }

  const { readDecisionLink, decideByLink } = {
    readDecisionLink: (token: string) =>
      world.service.by({}).notifications.readDecisionLink({ body: { token } }),
    decideByLink: (token: string, decision: 'approved' | 'denied' = 'approved') =>
      world.service.by({}).notifications.decideByLink({ body: { token, decision, note: 'fine' } }),
  };
  const statusOf = async (id: string) =>
    (await world.service.byKey.approvals.getApproval({ params: { id } })).status;

  const entryOf = async (approval: string) => {
    const query = { action: 'approval.*' };
    const { entries } = await world.service.byKey.audit.listAuditEntries({ query });
    return entries.find((one) => one.resource_id === approval);
  };

  test('a link shows the request and decides it once, and the audit log contains how', async () => {
    const { id, name, approval, token, decide, check } = await requested();
    expect(decide).toMatch(new RegExp(`^${world.service.urls.public}/decide#`));
    expect(await readDecisionLink(token)).toMatchObject({
      approval_id: approval,
      status: 'pending',
      agent_name: name,
      action_type: 'deploy',
      deciding_as: `channel ${name}`,
    });
    expect(await statusOf(approval)).toBe('pending');
    expect(await decideByLink(token)).toMatchObject({
      status: 'approved',
      decided_by: `channel ${name}`,
    });
    expect(await check()).toMatchObject({ action: 'allow' });
    expect(await entryOf(approval)).toMatchObject({
      action: 'approval.approve',
      actor_type: 'system',
      actor_id: id,
      resource_id: approval,
      ip: '127.0.0.1',
      metadata: { via: 'notification link', channel: name, after: { note: 'fine' } },
    });
    await expect(decideByLink(token, 'denied')).rejects.toMatchObject({ status: 409 });
    expect(await statusOf(approval)).toBe('approved');
  });

  test('opening the page of a link makes no decision', async () => {
    const { approval, decide } = await requested();
    await fetch(decide!);
    await fetch(decide!, { method: 'HEAD' });
    expect(await statusOf(approval)).toBe('pending');
  });

  test('a link that was altered, has expired or was withdrawn is refused', async () => {
    const { approval, token, rule } = await requested();
    const [payload = '', signature = ''] = token.split('.');
    const facts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const longer = Buffer.from(JSON.stringify([...facts.slice(0, 5), 9e15])).toString('base64url');
    for (const forged of [`${longer}.${signature}`, `${payload}.`, 'x'])
      await expect(readDecisionLink(forged)).rejects.toMatchObject({ status: 403 });
    world.service.setTime(T0 + 31 * MINUTE);
    await expect(decideByLink(token)).rejects.toMatchObject({ status: 403 });
    world.service.setTime(T0 + MINUTE);
    await world.service.byKey.notifications.replaceNotificationRule({
      params: { id: rule.id },
      body: { ...rule.body, decide_by_link: false },
    });
    await expect(decideByLink(token)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('withdrawn') as string,
    });
    expect(await statusOf(approval)).toBe('pending');
  });

  test('there is no link if the rule disables them or the policy names approvers', async () => {
    expect((await requested({ decide_by_link: false })).decide).toBeNull();
    expect((await requested({ approvers: ['ada@example.test'] })).decide).toBeNull();
  });

  test('a named approver gets a link by email and decides as that user', async () => {
    world.service.setTime(T0);
    const { notifications, identity } = { ...world.service.byKey, ...world.service.byOwner };
    const email = `ada-${kind}@example.test`;
    const { id: user } = await identity.createUser({ body: { email, role: 'viewer' } });
    const name = `mail-${kind}`;
    const channel = await notifications.createChannel({
      body: { kind: 'email', name, recipients: [email, 'eve@example.test'] },
    });
    await notifications.createNotificationRule({
      body: {
        name,
        events: ['approval.requested'],
        agents: [name],
        channel_ids: [channel.id],
        group_seconds: 5,
        decide_by_link: true,
      },
    });
    await world.service.byKey.policies.createPolicy({
      body: {
        name,
        category: 'approval',
        rules: { approvers: [email] },
        scope: { agents: [name] },
      },
    });
    await world.service.byKey.evaluations.checkPolicy({
      body: { agent_name: name, workflow_name: 'deploy' },
    });
    world.service.setTime(T0 + 6 * SECOND);
    const mails = await world.mail.waitForMails(2);
    const linkIn = (to: string) =>
      /\/decide#([\w.-]+)/.exec(decodeMail(mails.find((one) => one.to[0] === to)!))?.[1];
    expect(linkIn('eve@example.test')).toBeUndefined();
    const decided = await decideByLink(linkIn(email)!, 'denied');
    expect(decided).toMatchObject({ status: 'denied', decided_by: email });
    expect(await entryOf(decided.approval_id)).toMatchObject({
      action: 'approval.deny',
      actor_type: 'user',
      actor_id: user,
      metadata: { via: 'notification link', recipient: email },
    });
  });
});
