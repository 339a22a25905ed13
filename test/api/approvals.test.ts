import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import type { Role } from '#contract/route.ts';
import {
  API_KEY,
  OWNER,
  settingsOn,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, eventually, type Program, run } from '../support/processes.ts';
import { startTwoTenants } from '../support/two-tenants.ts';

const T0 = Date.parse('2026-03-02T10:00:00.000Z');
const MINUTE = 60_000;
const PASSWORD = 'a long enough password 7';

describe.each(databases)('approvals on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  let made = 0;
  /** An agent of its own with a policy: its workflow `deploy` needs an approval. */
  async function agentWith(rules: object = {}) {
    const agent = `agent-${(made += 1)}`;
    const policy = await service.byKey.policies.createPolicy({
      body: {
        name: `approval of ${agent}`,
        category: 'approval',
        rules: { ...rules },
        scope: { agents: [agent] },
      },
    });
    const check = (more: object = {}) =>
      service.byKey.evaluations.checkPolicy({
        body: { agent_name: agent, workflow_name: 'deploy', ...more },
      });
    /** Asks, and answers the id of the request. */
    const ask = async (more: object = {}): Promise<string> => {
      const { metadata } = await check(more);
      return metadata.approval_id as string;
    };
    return { agent, policy, check, ask };
  }
  const queue = (query: object) => service.byOwner.approvals.listApprovals({ query });
  const approve = (id: string, by = service.byOwner, body: { note?: string } = {}) =>
    by.approvals.approve({ params: { id }, body });
  const deny = (id: string, by = service.byOwner) =>
    by.approvals.deny({ params: { id }, body: {} });

  const known = new Map<Role, ReturnType<typeof signedIn>>();
  /** The one user of this role, unless another one is needed. */
  function userOf(role: Role) {
    const user = known.get(role) ?? signedIn(role);
    known.set(role, user);
    return user;
  }
  async function signedIn(role: Role) {
    const email = `${role}-${(made += 1)}@example.test`;
    const { id } = await service.byOwner.identity.createUser({
      body: { email, role, password: PASSWORD, must_change_password: false },
    });
    const { token } = await service.by({}).identity.login({ body: { email, password: PASSWORD } });
    return { id, email, client: service.by({ Authorization: `Bearer ${token}` }) };
  }

  describe('what is to be done', () => {
    const requestOf = async (id: string) =>
      (await service.byOwner.approvals.getApproval({ params: { id } })).request;

    test('is shown to the approvers as the agent says it', async () => {
      const { ask } = await agentWith({ require_approval_for: ['deploy'] });
      const id = await ask({
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

    test('is null if the agent says nothing, and cut if it is long', async () => {
      const { ask } = await agentWith({ require_approval_for: ['deploy'] });
      expect(await requestOf(await ask())).toBeNull();
      const { ask: other } = await agentWith({ require_approval_for: ['deploy'] });
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
      const { settings } = service.byOwner;
      const before = await settings.getRecordingSettings();
      const masking = { enabled: true, builtin: ['EMAIL' as const], keys: [], patterns: [] };
      await settings.putRecordingSettings({ body: { ...before, masking } });
      const { ask } = await agentWith({ require_approval_for: ['deploy'] });
      const request = await requestOf(
        await ask({
          inputs: { to: 'ada@example.test' },
          tool_calls: [{ name: 'mail', arguments: { to: 'ada@example.test' } }],
        }),
      );
      expect(JSON.stringify(request)).not.toContain('ada@example.test');
      expect(request?.tool_calls[0]?.name).toBe('mail');
      await settings.putRecordingSettings({ body: before });
    });
  });

  test('several are decided at once, each on its own', async () => {
    const { ask } = await agentWith({ require_approval_for: ['deploy'] });
    const ids = [await ask({ agent_id: 'a' }), await ask({ agent_id: 'b' })];
    await deny(String(ids[0]));
    const body = { ids: [...ids, 'apr_unknown'], decision: 'approve' as const, note: 'go' };
    expect(await service.byOwner.approvals.decideApprovals({ body })).toEqual({
      decided: [ids[1]],
      refused: [
        { id: ids[0], error: expect.stringContaining('already denied') as string },
        { id: 'apr_unknown', error: expect.stringContaining('no approval') as string },
      ],
    });
    const stored = await service.byOwner.approvals.getApproval({ params: { id: String(ids[1]) } });
    expect(stored).toMatchObject({ status: 'approved', note: 'go' });
    const idsOf = async (query: object) =>
      (await queue({ limit: 100, ...query })).results.map(({ id }) => id);
    const pending = await ask({ agent_id: 'c' });
    expect(await idsOf({ pending: 'true' })).toContain(pending);
    expect(await idsOf({ pending: 'false' })).toEqual(expect.arrayContaining(ids));
    expect(await idsOf({ pending: 'false' })).not.toContain(pending);
  });

  test('a blocked run has one approval request, however often it is checked', async () => {
    service.setTime(T0);
    const { agent, policy, check } = await agentWith({ approvers: ['ada@example.test'] });
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
    service.setTime(T0 + MINUTE);
    const again = await check({ agent_id: 'i-1', user_id: 'jane' });
    expect(again.metadata.approval_id).toBe(answer.metadata.approval_id);
    const { results, count } = await queue({ agent });
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
    service.setTime(undefined);
  });

  test('each instance and each user waits on its own', async () => {
    const { agent, ask, check } = await agentWith();
    const ids = [
      await ask(),
      await ask({ agent_id: 'i-1' }),
      await ask({ agent_id: 'i-2' }),
      await ask({ agent_id: 'i-1', user_id: 'jane' }),
    ];
    expect(new Set(ids).size).toBe(4);
    expect((await queue({ agent })).count).toBe(4);
    await approve(ids[1] ?? '');
    expect((await check({ agent_id: 'i-2' })).action).toBe('block');
    expect((await check({ agent_id: 'i-1' })).action).toBe('allow');
  });

  test('twenty who ask at once are one in the queue', async () => {
    const { agent, ask } = await agentWith();
    const ids = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(ids).size).toBe(1);
    expect((await queue({ agent })).count).toBe(1);
  });

  test('an approval lets one start through, and twenty at once no more', async () => {
    const { agent, ask, check } = await agentWith();
    const id = await ask();
    const approved = await approve(id, service.byOwner, { note: 'go' });
    expect(approved).toMatchObject({
      id,
      status: 'approved',
      decided_by: OWNER.email,
      decided_at: expect.any(String) as string,
      note: 'go',
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => check()));
    expect(answers.filter(({ action }) => action === 'allow')).toHaveLength(1);
    const { results } = await queue({ agent });
    expect(results.map(({ status }) => status)).toEqual(['pending', 'approved']);
  });

  test('an approval is not used while another policy refuses', async () => {
    const { agent, ask, check } = await agentWith();
    const id = await ask();
    await approve(id);
    const pace = await service.byKey.policies.createPolicy({
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

  test('an approval holds as long as there was time to give it', async () => {
    const { ask, check } = await agentWith({ timeout_minutes: 10 });
    service.setTime(T0);
    const id = await ask();
    service.setTime(T0 + 5 * MINUTE);
    expect((await approve(id)).holds_until).toBe('2026-03-02T10:15:00.000Z');
    service.setTime(T0 + 15 * MINUTE);
    const answer = await check();
    expect(answer.action).toBe('block');
    expect(answer.metadata.approval_id).not.toBe(id);
    service.setTime(undefined);
  });

  test('what runs with an approval goes on with it', async () => {
    const { agent, ask, check } = await agentWith();
    const id = await ask({ tools: ['delete'] });
    await approve(id);
    await approve(await ask({ tools: ['delete'] }));
    expect((await check({ tools: ['delete'] })).action).toBe('allow');
    const body = { agent_name: agent, workflow_name: 'deploy' };
    const { run_id } = await service.byKey.recording.startRun({ body });
    const use = (name: string) =>
      service.byKey.recording.recordSpans({
        params: { run_id },
        body: { spans: [{ name, kind: 'tool' }] },
      });
    const answered = async () =>
      (await service.byOwner.evaluations.listEvaluations({ query: { run_id } })).results.map(
        ({ action, reason }) => `${action}: ${reason}`,
      );
    await use('delete');
    expect(await answered()).toEqual([]);
    await use('payment');
    expect(await answered()).toEqual(["block: Tool 'payment' requires approval before execution"]);
    expect((await queue({ agent, status: 'pending' })).results).toMatchObject([
      { action_type: 'payment' },
    ]);
  });

  test('a denial is in force for its time, then a new request is possible', async () => {
    service.setTime(T0);
    const { ask, check } = await agentWith();
    const id = await ask();
    expect(await deny(id)).toMatchObject({ status: 'denied', decided_by: OWNER.email });
    service.setTime(T0 + 29 * MINUTE);
    expect(await check()).toMatchObject({
      action: 'block',
      reason: `Workflow 'deploy' was denied approval by ${OWNER.email}`,
      metadata: { approval_id: id },
    });
    service.setTime(T0 + 30 * MINUTE);
    expect(await ask()).not.toBe(id);
    service.setTime(undefined);
  });

  test('a request without a decision expires, and the next check makes another', async () => {
    service.setTime(T0);
    const { agent, ask, check } = await agentWith({ timeout_minutes: 10 });
    const id = await ask();
    service.setTime(T0 + 10 * MINUTE);
    const { getApproval } = service.byOwner.approvals;
    expect((await getApproval({ params: { id } })).status).toBe('expired');
    await expect(approve(id)).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: `approval ${id} expired at 2026-03-02T10:10:00.000Z`,
    });
    expect((await queue({ agent, status: 'pending' })).count).toBe(0);
    expect((await queue({ agent, status: 'expired' })).count).toBe(1);
    expect(await check()).toMatchObject({
      action: 'block',
      reason:
        "Workflow 'deploy' requires approval before execution: the last request expired without a decision",
    });
    const { results } = await queue({ agent });
    expect(results.map(({ status }) => status)).toEqual(['pending', 'expired']);
    service.setTime(undefined);
  });

  test('or lets one start through with a warning', async () => {
    service.setTime(T0);
    const rules = { timeout_minutes: 10, action_on_timeout: 'warn' };
    const { ask, check } = await agentWith(rules);
    await ask();
    service.setTime(T0 + 10 * MINUTE);
    expect(await check()).toMatchObject({
      action: 'warn',
      reason: "Workflow 'deploy' without approval: no decision in time",
    });
    expect((await check()).action).toBe('block');
    service.setTime(undefined);
  });

  describe('who may decide', () => {
    test.each([
      ['viewer', 403],
      ['analyst', 403],
      ['admin', 200],
      ['owner', 200],
    ] as const)('where nobody is named, a %s: %i', async (role, status) => {
      const { ask } = await agentWith();
      const { client } = await userOf(role);
      expect(await statusOf(approve(await ask(), client))).toBe(status);
    });

    test('named approvers and owners may decide, whatever their role', async () => {
      const viewer = await userOf('viewer');
      const other = await signedIn('viewer');
      const admin = await userOf('admin');
      const { agent, ask } = await agentWith({
        approvers: [viewer.email.toUpperCase(), other.id],
      });
      const id = await ask();
      expect(await statusOf(approve(id, admin.client))).toBe(403);
      expect(await statusOf(approve(id, service.byKey))).toBe(403);
      expect((await queue({ agent })).results).toMatchObject([{ status: 'pending' }]);
      expect((await approve(id, viewer.client)).decided_by).toBe(viewer.email);
      expect(await statusOf(deny(await ask({ user_id: 'a' }), other.client))).toBe(200);
      expect(await statusOf(deny(await ask({ user_id: 'b' })))).toBe(200);
    });

    test("a sub-user is none of those who are named, whatever the token's email or id", async () => {
      const { ask } = await agentWith({ approvers: [OWNER.email, 'sub_user:ada'] });
      const id = await ask();
      const issued = await service.byKey.subUsers.issueSubUserToken({
        body: { sub_user_id: 'ada', email: OWNER.email, roles: ['admin'] },
      });
      const bySubUser = service.by({ Authorization: `Bearer ${issued.token}` });
      for (const decide of [approve, deny]) expect(await statusOf(decide(id, bySubUser))).toBe(403);
      expect(await statusOf(approve(await (await agentWith()).ask(), bySubUser))).toBe(200);
      expect(await statusOf(approve(id))).toBe(200);
    });

    test('a key with the permission is a program in their place', async () => {
      const { ask } = await agentWith();
      const { decided_by } = await approve(await ask(), service.byKey);
      expect(decided_by).toMatch(/^key_/);
      const { key } = await service.byOwner.identity.createApiKey({
        body: { name: 'agents', permissions: ['record'] },
      });
      const byAgent = service.by({ 'X-Svc-Key': key });
      expect(await statusOf(approve(await ask(), byAgent))).toBe(403);
      expect(await statusOf(byAgent.approvals.listApprovals({ query: {} }))).toBe(403);
    });
  });

  test('nothing is decided twice', async () => {
    const { ask } = await agentWith();
    const id = await ask();
    await deny(id);
    for (const decide of [approve, deny])
      await expect(decide(id)).rejects.toMatchObject({
        status: 409,
        message: `approval ${id} was already denied by ${OWNER.email}`,
      });
  });

  test('each decision is in the audit log, a refused one is not', async () => {
    const { ask } = await agentWith();
    const id = await ask();
    await approve(id);
    await statusOf(deny(id));
    const { entries } = await service.byOwner.audit.listAuditEntries({
      query: { action: 'approval.*' },
    });
    expect(entries.filter(({ resource_id }) => resource_id === id)).toMatchObject([
      {
        actor_type: 'user',
        action: 'approval.approve',
        resource_type: 'approval',
        metadata: {
          before: { status: 'pending' },
          after: { status: 'approved', decided_by: OWNER.email },
        },
      },
    ]);
  });

  test('the queue, page by page', async () => {
    const { agent, policy, ask } = await agentWith();
    const ids: string[] = [];
    for (const user_id of ['a', 'b', 'c']) ids.unshift(await ask({ user_id }));
    await approve(ids[1] ?? '');
    const first = await queue({ agent, limit: 2 });
    expect(first).toMatchObject({ count: 3, previous: null });
    expect(first.next).toContain('offset=2');
    expect(first.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await queue({ agent, limit: 2, offset: 2 })).results).toMatchObject([{ id: ids[2] }]);
    expect((await queue({ policy_id: policy.id, status: 'pending' })).count).toBe(2);
    expect((await queue({ policy_id: policy.id, status: 'approved' })).count).toBe(1);
    expect((await queue({ agent: 'nobody' })).count).toBe(0);
  });

  test.each([
    [{ status: 'open' }, /^status: /],
    [{ limit: 0 }, /^limit: /],
  ])('%j is refused', async (query, message) => {
    await expect(queue(query)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
  });

  test('a body of anything else is refused', async () => {
    const { ask } = await agentWith();
    const body = { comment: 'go' } as never;
    await expect(approve(await ask(), service.byOwner, body)).rejects.toMatchObject({
      status: 400,
    });
  });

  test('they are deleted with what the tenant no longer keeps', async () => {
    service.setTime(T0);
    const { agent, ask } = await agentWith();
    await deny(await ask());
    service.setTime(T0 + 60 * 24 * 60 * MINUTE);
    const kept = await ask({ user_id: 'kept' });
    const { settings } = service.byOwner;
    const recording = await settings.getRecordingSettings();
    await settings.putRecordingSettings({ body: { ...recording, retention_days: 30 } });
    const { results } = await eventually(
      () => queue({ agent }),
      // Rows and count are read one after the other.
      ({ results: rows, count }) => rows.length < 2 && count < 2,
    );
    expect(results.map(({ id }) => id)).toEqual([kept]);
    await settings.putRecordingSettings({ body: recording });
    service.setTime(undefined);
  });

  test('an unknown one is not there', async () => {
    for (const call of [
      () => service.byOwner.approvals.getApproval({ params: { id: 'apr_none' } }),
      () => approve('apr_none'),
      () => deny('apr_none'),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });
});

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

const pendingApproval = async (client: TestClient, agent: string): Promise<string> => {
  const { metadata } = await client.evaluations.checkPolicy({
    body: { agent_name: agent, workflow_name: 'deploy' },
  });
  return metadata.approval_id as string;
};

test.each(databases)("another tenant's are not there on %s", async (kind) => {
  const tenants = await startTwoTenants(kind);
  const { one, other } = tenants;
  try {
    await one.byKey.policies.createPolicy({ body: { name: 'ask', category: 'approval' } });
    const id = await pendingApproval(one.byKey, 'a');
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

describe.each(databases)('decided at once, by processes of their own, on %s', (kind) => {
  let database: TestDatabase;
  const programs: Program[] = [];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    database = await newDatabase(kind);
    // SQLite belongs to one process; PostgreSQL to as many as there are.
    for (const _ of kind === 'sqlite' ? [1] : [1, 2]) await start();
  });
  afterAll(async () => {
    for (const program of programs) await program.end();
    await database.remove();
  });

  async function start(): Promise<void> {
    const port = await freePort();
    const program = run(built.controlPlane, {
      ...settingsOn(database),
      PORT: String(port),
      SECRET_KEY: '0123456789abcdef0123456789abcdef',
    });
    programs.push(program);
    await program.said(/http:\/\/localhost/);
    clients.push(
      createClient(contract, {
        baseUrl: `http://127.0.0.1:${port}`,
        headers: () => ({ 'X-Svc-Key': API_KEY }),
      }),
    );
  }

  test('of concurrent decisions one counts, and the others are refused', async () => {
    const [first, last] = [clients[0], clients.at(-1)] as [TestClient, TestClient];
    await first.policies.createPolicy({ body: { name: 'ask', category: 'approval' } });
    for (let round = 0; round < 12; round += 1) {
      const params = { id: await pendingApproval(first, `agent-${round}`) };
      const calls = [0, 1, 2].flatMap(() => [
        first.approvals.approve({ params, body: {} }),
        last.approvals.deny({ params, body: {} }),
      ]);
      const settled = await Promise.allSettled(calls);
      const won = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const lost = settled.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
      expect(won).toHaveLength(1);
      expect(lost.map(({ status }: { status: number }) => status)).toEqual([
        409, 409, 409, 409, 409,
      ]);
      const { status } = await last.approvals.getApproval({ params });
      expect(status).toBe(won[0]?.status);
      const { action } = await last.evaluations.checkPolicy({
        body: { agent_name: `agent-${round}`, workflow_name: 'deploy' },
      });
      expect(action).toBe(status === 'approved' ? 'allow' : 'block');
    }
  });
});
