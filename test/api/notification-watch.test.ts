import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NotificationEventName } from '#contract/notifications.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice } from '../support/device.ts';
import { pollUntil } from '../support/processes.ts';
import { type HttpReceiver, startHttpReceiver } from '../support/receivers.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const status = { agent_version: '1.0.0', applied_version: 0, queued: 0, dropped: 0 };

/** A job that runs every 15 seconds finds states that no request announces. */
describe.each(databases)('states found by the job on %s', (kind) => {
  let service: TestControlPlane;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    service = await startTestControlPlane(kind, { NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8' });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  let made = 0;
  async function watch(event: NotificationEventName, more: object = {}) {
    const name = `watch-${(made += 1)}`;
    const { notifications } = service.byKey;
    const url = `${receiver.url}/${name}`;
    const { id } = await notifications.createChannel({ body: { kind: 'webhook', name, url } });
    await notifications.createNotificationRule({
      body: { name, events: [event], channel_ids: [id], group_seconds: 5, ...more },
    });
    const waiting = () =>
      pollUntil(
        async () =>
          (await notifications.listDeliveries({ query: { channel_id: id } })).results[0]?.subject,
        (subject) => subject !== undefined,
      );
    return { waiting, id };
  }

  test('devices are reported as enrolled, with a problem, offline and revoked', async () => {
    const enrolled = await watch('device.enrolled');
    const problem = await watch('device.problem');
    const offline = await watch('device.offline', { offline_minutes: 30 });
    const revoked = await watch('device.revoked');
    const device = await enrollDevice(service, `hardware-${kind}`);
    expect(await enrolled.waiting()).toBe('macbook-ada enrolled');
    await device.client.device.heartbeat({
      body: { ...status, problems: ['the spool is full'] },
    });
    expect(await problem.waiting()).toBe('macbook-ada reports a problem');
    service.setTime(Date.now() + 31 * MINUTE);
    expect(await offline.waiting()).toBe('macbook-ada has been offline for 30 minutes');
    service.setTime(undefined);
    await service.byOwner.enrollment.revokeDevice({
      params: { id: device.id },
      body: { reason: 'lost' },
    });
    expect(await revoked.waiting()).toBe('macbook-ada was revoked');
  });

  test('a budget is reported at the share in the rule, once per period', async () => {
    const name = `spender-${kind}`;
    await service.byKey.policies.createPolicy({
      body: {
        name,
        category: 'budget',
        rules: { daily_cost_limit: 10, monthly_cost_limit: 12, timezone: 'Europe/Berlin' },
        scope: { agents: [name] },
      },
    });
    await service.byKey.endUsers.putEndUserLimits({
      params: { kind: 'user', id: name },
      body: { monthly_budget: 8, requests_per_minute: null },
    });
    const half = await watch('budget.reached', { budget_percent: 50, agents: [name] });
    const most = await watch('budget.reached', { budget_percent: 100, agents: [name] });
    const { run_id } = await service.byKey.recording.startRun({
      body: { agent_name: name, end_user_id: name },
    });
    const call = { model: 'm', tokens_in: 1, tokens_out: 1, cost: 6 };
    await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const all = await pollUntil(
      async () =>
        (await service.byKey.notifications.listDeliveries({ query: { channel_id: half.id } }))
          .results,
      ({ length }) => length === 2,
    );
    // The limits of one policy have the same cause and are one message.
    expect(all.map(({ subject }) => subject).toSorted()).toEqual([
      `Daily cost limit for ${name} is 60% used`,
      `Monthly budget of end user ${name} is 75% used`,
    ]);
    const query = { channel_id: most.id };
    expect((await service.byKey.notifications.listDeliveries({ query })).count).toBe(0);
  });

  test('the budget of a user group is reported for each end user without a separate limit', async () => {
    const group = `group-${kind}`;
    const limits = (of: 'user' | 'group', id: string, monthly_budget: number) =>
      service.byKey.endUsers.putEndUserLimits({
        params: { kind: of, id },
        body: { monthly_budget, requests_per_minute: null },
      });
    await limits('group', group, 10);
    await limits('user', `own-${kind}`, 1000);
    const { id } = await watch('budget.reached', { budget_percent: 50 });
    const spend = async (end_user_id: string, cost: number, user_group = group) => {
      const { run_id } = await service.byKey.recording.startRun({
        body: { agent_name: `of-${group}`, end_user_id, user_group },
      });
      const call = { model: 'm', tokens_in: 1, tokens_out: 1, cost };
      await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    };
    await spend(`own-${kind}`, 9);
    await spend(`little-${kind}`, 4.9);
    await spend(`other-${kind}`, 9, 'another-group');
    await spend(`much-${kind}`, 2.5);
    await spend(`much-${kind}`, 2.5);
    const subjects = await pollUntil(
      async () => {
        const query = { channel_id: id };
        const { results } = await service.byKey.notifications.listDeliveries({ query });
        return results.map(({ subject }) => subject).filter((one) => one?.includes(kind));
      },
      (found) => found.some((one) => one?.includes('group')),
    );
    expect(subjects.filter((one) => one?.includes('of end user'))).not.toContainEqual(
      expect.stringMatching(/little|other|own-/),
    );
    expect(subjects).toContain(
      `Monthly budget of end user much-${kind}, as set for group ${group} is 50% used`,
    );
  });

  test('an approval that is about to expire is reported', async () => {
    const name = `waits-${kind}`;
    await service.byKey.policies.createPolicy({
      body: { name, category: 'approval', rules: {}, scope: { agents: [name] } },
    });
    const { waiting } = await watch('approval.expiring');
    await service.byKey.evaluations.checkPolicy({
      body: { agent_name: name, workflow_name: 'deploy' },
    });
    service.setTime(Date.now() + 21 * MINUTE);
    expect(await waiting()).toBe(`${name} still waits for deploy`);
    service.setTime(undefined);
  });

  test('reports dropped by a device are reported', async () => {
    const { id } = await watch('recording.failing');
    const { client } = await enrollDevice(service, `dropping-${kind}`);
    let dropped = 0;
    const beat = () =>
      client.device.heartbeat({ body: { ...status, problems: [], dropped: (dropped += 7) } });
    // The first check only sets the baseline, so the device drops reports until there is a message.
    const first = await pollUntil(
      async () => {
        await beat();
        const { notifications } = service.byKey;
        return (await notifications.listDeliveries({ query: { channel_id: id } })).results[0];
      },
      (found) => found !== undefined,
    );
    expect(first?.subject).toMatch(/^macbook-ada dropped \d+ reports$/);
  });
});
