import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants } from '../support/two-tenants.ts';
import { statusOf, requestApproval, setUpApprovals } from '../support/approvals.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const MINUTE = 60_000;

describe.each(databases)('approvals on %s', (kind) => {
  const world = setUpApprovals(kind);
  const { createAgentWithApprovalPolicy, listApprovals, approve, deny } = world;

  describe('the requested action', () => {
    const requestOf = async (id: string) =>
      (await world.service.byOwner.approvals.getApproval({ params: { id } })).request;

    test('is shown to approvers as the agent describes it', async () => {
      const { requestApproval } = await createAgentWithApprovalPolicy({
        require_approval_for: ['deploy'],
      });
      const id = await requestApproval({
        inputs: { service: 'shop' },
        tools: ['search'],
        tool_calls: [{ name: 'release', arguments: { version: '2.4' } }, { name: 'notify' }],
        models: ['gpt-4o'],
        mcp_servers: ['kubernetes'],
        estimated_cost: 1.5,
        risk_level: 'high',
      });
      expect(await requestOf(id)).toEqual({
        inputs: { service: 'shop' },
        tool_calls: [{ name: 'release', arguments: { version: '2.4' } }, { name: 'notify' }],
        tools: ['search', 'release', 'notify'],
        models: ['gpt-4o'],
        mcp_servers: ['kubernetes'],
        estimated_cost: 1.5,
        risk_level: 'high',
        truncated: false,
      });
    });

    test('is null without a description, and truncated if it is long', async () => {
      const { requestApproval } = await createAgentWithApprovalPolicy({
        require_approval_for: ['deploy'],
      });
      expect(await requestOf(await requestApproval())).toBeNull();
      const { requestApproval: other } = await createAgentWithApprovalPolicy({
        require_approval_for: ['deploy'],
      });
      const long = 'x'.repeat(50_000);
      const request = await requestOf(
        await other({
          inputs: { long },
          tool_calls: Array.from({ length: 60 }, () => ({ name: 't', arguments: { long } })),
        }),
      );
      expect(request).toMatchObject({ truncated: true, tools: ['t'] });
      expect(JSON.stringify(request).length).toBeLessThan(16_384);
      expect(request?.inputs).toMatch(/^{"long":"x+$/);
    });

    test('is masked like all recorded text', async () => {
      const { settings } = world.service.byOwner;
      const before = await settings.getRecordingSettings();
      const masking = { enabled: true, builtin: ['EMAIL' as const], keys: [], patterns: [] };
      await settings.putRecordingSettings({ body: { ...before, masking } });
      const { requestApproval } = await createAgentWithApprovalPolicy({
        require_approval_for: ['deploy'],
      });
      const request = await requestOf(
        await requestApproval({
          inputs: { to: 'ada@example.test' },
          tool_calls: [{ name: 'mail', arguments: { to: 'ada@example.test' } }],
        }),
      );
      expect(JSON.stringify(request)).not.toContain('ada@example.test');
      expect(request?.tool_calls[0]?.name).toBe('mail');
      await settings.putRecordingSettings({ body: before });
    });
  });

  test('several requests are decided at once, each independently', async () => {
    const { requestApproval } = await createAgentWithApprovalPolicy({
      require_approval_for: ['deploy'],
    });
    const ids = [
      await requestApproval({ agent_id: 'a' }),
      await requestApproval({ agent_id: 'b' }),
    ];
    await deny(String(ids[0]));
    const body = { ids: [...ids, 'apr_unknown'], decision: 'approve' as const, note: 'go' };
    expect(await world.service.byOwner.approvals.decideApprovals({ body })).toEqual({
      decided: [ids[1]],
      refused: [
        { id: ids[0], error: expect.stringContaining('already denied') as string },
        { id: 'apr_unknown', error: expect.stringContaining('no approval') as string },
      ],
    });
    const stored = await world.service.byOwner.approvals.getApproval({
      params: { id: String(ids[1]) },
    });
    expect(stored).toMatchObject({ status: 'approved', note: 'go' });
    const idsOf = async (query: object) =>
      (await listApprovals({ limit: 100, ...query })).results.map(({ id }) => id);
    const pending = await requestApproval({ agent_id: 'c' });
    expect(await idsOf({ pending: 'true' })).toContain(pending);
    expect(await idsOf({ pending: 'false' })).toEqual(expect.arrayContaining(ids));
    expect(await idsOf({ pending: 'false' })).not.toContain(pending);
  });

  test('the queue is paged', async () => {
    const { agent, policy, requestApproval } = await createAgentWithApprovalPolicy();
    const ids: string[] = [];
    for (const user_id of ['a', 'b', 'c']) ids.unshift(await requestApproval({ user_id }));
    await approve(ids[1] ?? '');
    const first = await listApprovals({ agent, limit: 2 });
    expect(first).toMatchObject({ count: 3, previous: null });
    expect(first.next).toContain('offset=2');
    expect(first.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await listApprovals({ agent, limit: 2, offset: 2 })).results).toMatchObject([
      { id: ids[2] },
    ]);
    expect((await listApprovals({ policy_id: policy.id, status: 'pending' })).count).toBe(2);
    expect((await listApprovals({ policy_id: policy.id, status: 'approved' })).count).toBe(1);
    expect((await listApprovals({ agent: 'unknown-agent' })).count).toBe(0);
  });

  test.each([
    [{ status: 'open' }, /^status: /],
    [{ limit: 0 }, /^limit: /],
  ])('%j is rejected', async (query, message) => {
    await expect(listApprovals(query)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
  });

  test('a body with unknown fields is rejected', async () => {
    const { requestApproval } = await createAgentWithApprovalPolicy();
    const body = { comment: 'go' } as never;
    await expect(
      approve(await requestApproval(), world.service.byOwner, body),
    ).rejects.toMatchObject({
      status: 400,
    });
  });

  test('requests are deleted with data older than the retention period', async () => {
    world.service.setTime(T0);
    const { agent, requestApproval } = await createAgentWithApprovalPolicy();
    await deny(await requestApproval());
    world.service.setTime(T0 + 60 * 24 * 60 * MINUTE);
    const kept = await requestApproval({ user_id: 'kept' });
    const { settings } = world.service.byOwner;
    const recording = await settings.getRecordingSettings();
    await settings.putRecordingSettings({ body: { ...recording, retention_days: 30 } });
    const { results } = await pollUntil(
      () => listApprovals({ agent }),
      // Rows and count are read one after the other.
      ({ results: rows, count }) => rows.length < 2 && count < 2,
    );
    expect(results.map(({ id }) => id)).toEqual([kept]);
    await settings.putRecordingSettings({ body: recording });
    world.service.setTime(undefined);
  });

  test('an unknown request returns 404', async () => {
    for (const call of [
      () => world.service.byOwner.approvals.getApproval({ params: { id: 'apr_none' } }),
      () => approve('apr_none'),
      () => deny('apr_none'),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});

test.each(databases)('requests of another tenant return 404 on %s', async (kind) => {
  const tenants = await startTwoTenants(kind);
  const { one, other } = tenants;
  try {
    await one.byKey.policies.createPolicy({ body: { name: 'ask', category: 'approval' } });
    const id = await requestApproval(one.byKey, 'a');
    const { approvals } = other.byOwner;
    expect((await approvals.listApprovals({ query: {} })).count).toBe(0);
    for (const call of [
      () => approvals.getApproval({ params: { id } }),
      () => approvals.approve({ params: { id }, body: {} }),
      () => approvals.deny({ params: { id }, body: {} }),
    ])
      expect(await statusOf(call())).toBe(404);
    expect((await one.byOwner.approvals.getApproval({ params: { id } })).status).toBe('pending');
  } finally {
    await tenants.stop();
  }
});
