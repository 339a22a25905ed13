import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import type { Role } from '#contract/route.ts';
import { API_KEY, OWNER, settingsOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, type Program, startProgram } from '../support/processes.ts';
import { statusOf, requestApproval, setUpApprovals } from '../support/approvals.ts';

const PASSWORD = 'a long enough password 7';

describe.each(databases)('approvals on %s', (kind) => {
  const world = setUpApprovals(kind);
  const { createAgentWithApprovalPolicy, listApprovals, approve, deny } = world;

  let made = 0;
  const known = new Map<Role, ReturnType<typeof signedIn>>();
  /** A user with this role: the same one each time, unless a new one is requested. */
  function userOf(role: Role) {
    const user = known.get(role) ?? signedIn(role);
    known.set(role, user);
    return user;
  }
  async function signedIn(role: Role) {
    const email = `${role}-${(made += 1)}@example.test`;
    const { id } = await world.service.byOwner.identity.createUser({
      body: { email, role, password: PASSWORD, must_change_password: false },
    });
    const { token } = await world.service
      .by({})
      .identity.login({ body: { email, password: PASSWORD } });
    return { id, email, client: world.service.by({ Authorization: `Bearer ${token}` }) };
  }

  describe('permission to decide', () => {
    test.each([
      ['viewer', 403],
      ['analyst', 403],
      ['admin', 200],
      ['owner', 200],
    ] as const)('without named approvers, a decision by a %s returns %i', async (role, status) => {
      const { requestApproval } = await createAgentWithApprovalPolicy();
      const { client } = await userOf(role);
      expect(await statusOf(approve(await requestApproval(), client))).toBe(status);
    });

    test('named approvers and owners may decide, whatever their role', async () => {
      const viewer = await userOf('viewer');
      const other = await signedIn('viewer');
      const admin = await userOf('admin');
      const { agent, requestApproval } = await createAgentWithApprovalPolicy({
        approvers: [viewer.email.toUpperCase(), other.id],
      });
      const id = await requestApproval();
      expect(await statusOf(approve(id, admin.client))).toBe(403);
      expect(await statusOf(approve(id, world.service.byKey))).toBe(403);
      expect((await listApprovals({ agent })).results).toMatchObject([{ status: 'pending' }]);
      expect((await approve(id, viewer.client)).decided_by).toBe(viewer.email);
      expect(await statusOf(deny(await requestApproval({ user_id: 'a' }), other.client))).toBe(200);
      expect(await statusOf(deny(await requestApproval({ user_id: 'b' })))).toBe(200);
    });

    test("a sub-user is never a named approver, whatever the token's email or id", async () => {
      const { requestApproval } = await createAgentWithApprovalPolicy({
        approvers: [OWNER.email, 'sub_user:ada'],
      });
      const id = await requestApproval();
      const issued = await world.service.byKey.subUsers.issueSubUserToken({
        body: { sub_user_id: 'ada', email: OWNER.email, roles: ['admin'] },
      });
      const bySubUser = world.service.by({ Authorization: `Bearer ${issued.token}` });
      for (const decide of [approve, deny]) expect(await statusOf(decide(id, bySubUser))).toBe(403);
      expect(
        await statusOf(
          approve(await (await createAgentWithApprovalPolicy()).requestApproval(), bySubUser),
        ),
      ).toBe(200);
      expect(await statusOf(approve(id))).toBe(200);
    });

    test('a key with the permission decides as a program', async () => {
      const { requestApproval } = await createAgentWithApprovalPolicy();
      const { decided_by } = await approve(await requestApproval(), world.service.byKey);
      expect(decided_by).toMatch(/^key_/);
      const { key } = await world.service.byOwner.identity.createApiKey({
        body: { name: 'agents', permissions: ['record'] },
      });
      const byAgent = world.service.by({ 'X-Svc-Key': key });
      expect(await statusOf(approve(await requestApproval(), byAgent))).toBe(403);
      expect(await statusOf(byAgent.approvals.listApprovals({ query: {} }))).toBe(403);
    });
  });

  test('a request is decided only once', async () => {
    const { requestApproval } = await createAgentWithApprovalPolicy();
    const id = await requestApproval();
    await deny(id);
    for (const decide of [approve, deny])
      await expect(decide(id)).rejects.toMatchObject({
        status: 409,
        message: `approval ${id} was already denied by ${OWNER.email}`,
      });
  });

  test('each decision is in the audit log, and a rejected one is not', async () => {
    const { requestApproval } = await createAgentWithApprovalPolicy();
    const id = await requestApproval();
    await approve(id);
    await statusOf(deny(id));
    const { entries } = await world.service.byOwner.audit.listAuditEntries({
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
});

describe.each(databases)('concurrent decisions through separate processes on %s', (kind) => {
  let database: TestDatabase;
  const programs: Program[] = [];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    database = await newDatabase(kind);
    // A SQLite database belongs to one process; PostgreSQL can serve several.
    for (const _ of kind === 'sqlite' ? [1] : [1, 2]) await start();
  });
  afterAll(async () => {
    for (const program of programs) await program.stop();
    await database.remove();
  });

  async function start(): Promise<void> {
    const port = await freePort();
    const program = startProgram(built.controlPlane, {
      ...settingsOn(database),
      PORT: String(port),
      SECRET_KEY: '0123456789abcdef0123456789abcdef',
    });
    programs.push(program);
    await program.waitForOutput(/http:\/\/localhost/);
    clients.push(
      createClient(contract, {
        baseUrl: `http://127.0.0.1:${port}`,
        headers: () => ({ 'X-Svc-Key': API_KEY }),
      }),
    );
  }

  test('of concurrent decisions one is accepted and the others are rejected', async () => {
    const [first, last] = [clients[0], clients.at(-1)] as [TestClient, TestClient];
    await first.policies.createPolicy({ body: { name: 'ask', category: 'approval' } });
    for (let round = 0; round < 12; round += 1) {
      const params = { id: await requestApproval(first, `agent-${round}`) };
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
