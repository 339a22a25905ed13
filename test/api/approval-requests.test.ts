import { describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { setUpApprovals } from '../support/approvals.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const MINUTE = 60_000;

describe.each(databases)('approvals on %s', (kind) => {
  const world = setUpApprovals(kind);
  const { createAgentWithApprovalPolicy, listApprovals, approve, deny } = world;

  test('a blocked run has one approval request, however often it is checked', async () => {
    world.service.setTime(T0);
    const { agent, policy, check } = await createAgentWithApprovalPolicy({
      approvers: ['ada@example.test'],
    });
    const answer = await check({ agent_id: 'i-1', user_id: 'jane' });
    expect(answer).toMatchObject({
      action: 'block',
      reason: "Workflow 'deploy' requires approval before execution",
      metadata: {
        approvers: ['ada@example.test'],
        timeout: 30,
        action_type: 'deploy',
        approval_id: expect.stringMatching(/^apr_/) as string,
        category: 'approval',
      },
    });
    world.service.setTime(T0 + MINUTE);
    const again = await check({ agent_id: 'i-1', user_id: 'jane' });
    expect(again.metadata.approval_id).toBe(answer.metadata.approval_id);
    const { results, count } = await listApprovals({ agent });
    expect(count).toBe(1);
    expect(results).toEqual([
      {
        id: answer.metadata.approval_id,
        status: 'pending',
        request: null,
        policy_id: policy.id,
        policy_name: policy.name,
        agent_name: agent,
        workflow_name: 'deploy',
        action_type: 'deploy',
        agent_id: 'i-1',
        user_id: 'jane',
        reason: "Workflow 'deploy' requires approval before execution",
        approvers: ['ada@example.test'],
        timeout_minutes: 30,
        created_at: '2026-03-02T10:00:00.000Z',
        expires_at: '2026-03-02T10:30:00.000Z',
        holds_until: '2026-03-02T11:00:00.000Z',
        decided_at: null,
        decided_by: null,
        note: '',
      },
    ]);
    world.service.setTime(undefined);
  });

  test('each instance and each user has a separate request', async () => {
    const { agent, requestApproval, check } = await createAgentWithApprovalPolicy();
    const ids = [
      await requestApproval(),
      await requestApproval({ agent_id: 'i-1' }),
      await requestApproval({ agent_id: 'i-2' }),
      await requestApproval({ agent_id: 'i-1', user_id: 'jane' }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect((await listApprovals({ agent })).count).toBe(4);
    await approve(ids[1] ?? '');
    expect((await check({ agent_id: 'i-2' })).action).toBe('block');
    expect((await check({ agent_id: 'i-1' })).action).toBe('allow');
  });

  test('twenty concurrent checks result in one request in the queue', async () => {
    const { agent, requestApproval } = await createAgentWithApprovalPolicy();
    const ids = await Promise.all(Array.from({ length: 20 }, () => requestApproval()));
    expect(new Set(ids).size).toBe(1);
    expect((await listApprovals({ agent })).count).toBe(1);
  });

  test('an approval lets exactly one start through, even of twenty concurrent ones', async () => {
    const { agent, requestApproval, check } = await createAgentWithApprovalPolicy();
    const id = await requestApproval();
    const approved = await approve(id, world.service.byOwner, { note: 'go' });
    expect(approved).toMatchObject({
      id,
      status: 'approved',
      decided_by: OWNER.email,
      decided_at: expect.any(String) as string,
      note: 'go',
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => check()));
    expect(answers.filter(({ action }) => action === 'allow')).toHaveLength(1);
    const { results } = await listApprovals({ agent });
    expect(results.map(({ status }) => status)).toEqual(['pending', 'approved']);
  });

  test('an approval is not consumed while another policy blocks', async () => {
    const { agent, requestApproval, check } = await createAgentWithApprovalPolicy();
    const id = await requestApproval();
    await approve(id);
    const pace = await world.service.byKey.policies.createPolicy({
      body: {
        name: `hours of ${agent}`,
        category: 'content',
        rules: { blocked_phrases: ['no'] },
        scope: { agents: [agent] },
      },
    });
    expect(await check({ inputs: { text: 'no!' } })).toMatchObject({
      action: 'block',
      metadata: { policy_id: pace.id },
    });
    expect((await check({ inputs: { text: 'yes' } })).action).toBe('allow');
    expect((await check({ inputs: { text: 'yes' } })).action).toBe('block');
  });

  test('an approval is valid as long as the time allowed for the decision', async () => {
    const { requestApproval, check } = await createAgentWithApprovalPolicy({ timeout_minutes: 10 });
    world.service.setTime(T0);
    const id = await requestApproval();
    world.service.setTime(T0 + 5 * MINUTE);
    expect((await approve(id)).holds_until).toBe('2026-03-02T10:15:00.000Z');
    world.service.setTime(T0 + 15 * MINUTE);
    const answer = await check();
    expect(answer.action).toBe('block');
    expect(answer.metadata.approval_id).not.toBe(id);
    world.service.setTime(undefined);
  });

  test('a run that started with an approval continues with it', async () => {
    const { agent, requestApproval, check } = await createAgentWithApprovalPolicy();
    const id = await requestApproval({ tools: ['delete'] });
    await approve(id);
    await approve(await requestApproval({ tools: ['delete'] }));
    expect((await check({ tools: ['delete'] })).action).toBe('allow');
    const body = { agent_name: agent, workflow_name: 'deploy' };
    const { run_id } = await world.service.byKey.recording.startRun({ body });
    const use = (name: string) =>
      world.service.byKey.recording.recordSpans({
        params: { run_id },
        body: { spans: [{ name, kind: 'tool' }] },
      });
    const decidedReasons = async () =>
      (await world.service.byOwner.evaluations.listEvaluations({ query: { run_id } })).results.map(
        ({ action, reason }) => `${action}: ${reason}`,
      );
    await use('delete');
    expect(await decidedReasons()).toEqual([]);
    await use('payment');
    expect(await decidedReasons()).toEqual([
      "block: Tool 'payment' requires approval before execution",
    ]);
    expect((await listApprovals({ agent, status: 'pending' })).results).toMatchObject([
      { action_type: 'payment' },
    ]);
  });

  test('a denial applies for its duration, then a new request is possible', async () => {
    world.service.setTime(T0);
    const { requestApproval, check } = await createAgentWithApprovalPolicy();
    const id = await requestApproval();
    expect(await deny(id)).toMatchObject({ status: 'denied', decided_by: OWNER.email });
    world.service.setTime(T0 + 29 * MINUTE);
    expect(await check()).toMatchObject({
      action: 'block',
      reason: `Workflow 'deploy' was denied approval by ${OWNER.email}`,
      metadata: { approval_id: id },
    });
    world.service.setTime(T0 + 30 * MINUTE);
    expect(await requestApproval()).not.toBe(id);
    world.service.setTime(undefined);
  });

  test('a request without a decision expires, and the next check creates a new one', async () => {
    world.service.setTime(T0);
    const { agent, requestApproval, check } = await createAgentWithApprovalPolicy({
      timeout_minutes: 10,
    });
    const id = await requestApproval();
    world.service.setTime(T0 + 10 * MINUTE);
    const { getApproval } = world.service.byOwner.approvals;
    expect((await getApproval({ params: { id } })).status).toBe('expired');
    await expect(approve(id)).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: `approval ${id} expired at 2026-03-02T10:10:00.000Z`,
    });
    expect((await listApprovals({ agent, status: 'pending' })).count).toBe(0);
    expect((await listApprovals({ agent, status: 'expired' })).count).toBe(1);
    expect(await check()).toMatchObject({
      action: 'block',
      reason:
        "Workflow 'deploy' requires approval before execution: the last request expired without a decision",
    });
    const { results } = await listApprovals({ agent });
    expect(results.map(({ status }) => status)).toEqual(['pending', 'expired']);
    world.service.setTime(undefined);
  });

  test('with action_on_timeout warn, an expired request lets one start through with a warning', async () => {
    world.service.setTime(T0);
    const rules = { timeout_minutes: 10, action_on_timeout: 'warn' };
    const { requestApproval, check } = await createAgentWithApprovalPolicy(rules);
    await requestApproval();
    world.service.setTime(T0 + 10 * MINUTE);
    expect(await check()).toMatchObject({
      action: 'warn',
      reason: "Workflow 'deploy' without approval: no decision in time",
    });
    expect((await check()).action).toBe('block');
    world.service.setTime(undefined);
  });
});
