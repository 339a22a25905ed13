import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolCheckMode } from '#contract/guard.ts';
import type { ToolCall } from '#contract/tool-checks.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { enrollDevice, type TestDevice } from '../support/device.ts';

describe.each(databases)('checks of tool calls on %s', (kind) => {
  let service: TestControlPlane;
  let device: TestDevice;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    device = await enrollDevice(service, 'hardware-tools', { userGroup: 'finance' });
    await guard('open');
  });
  afterAll(() => service.stop());

  const guard = (tool_checks: ToolCheckMode) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config: { tool_checks } } });
  const call = (tool: string, more: Partial<ToolCall> = {}): ToolCall => ({
    client: 'claude-code',
    tool,
    mcp_server: null,
    session: 'session-1',
    user: 'grace',
    ...more,
  });
  const check = (tool: string, more?: Partial<ToolCall>) =>
    device.client.device.checkTool({ body: call(tool, more) });
  const createPolicy = async (category: string, rules: object, more: object = {}) => {
    const { id } = await service.byOwner.policies.createPolicy({
      body: { name: category, category, rules: { ...rules }, ...more },
    });
    return {
      id,
      [Symbol.asyncDispose]: () =>
        service.byOwner.policies.deletePolicy({ params: { id }, query: {} }),
    };
  };
  const policiesOf = async (client: string) =>
    (await device.client.device.getToolPolicies()).clients[client];
  const evaluationsOf = async (agent: string) =>
    (await service.byOwner.evaluations.listEvaluations({ query: { agent } })).results;
  const incidentsOf = async (agent: string) =>
    (await service.byOwner.incidents.listIncidents({ query: { agent } })).results;
  const allowed = { decision: 'allow', policy: null, reason: '' };

  test('a blocked tool is refused with the name of the policy, and recorded', async () => {
    await using _ = await createPolicy('tool-allowlist', { blocked_tools: ['WebFetch'] });
    const reason = "Tool 'WebFetch' is blocked";
    expect(await check('WebFetch')).toEqual({
      decision: 'deny',
      policy: 'tool-allowlist',
      reason,
    });
    expect(await check('Read')).toEqual(allowed);
    expect(await evaluationsOf('claude-code')).toMatchObject([
      { action: 'allow' },
      { action: 'block', phase: 'before_workflow', reason },
    ]);
    expect(await incidentsOf('claude-code')).toMatchObject([{ action: 'block', reason }]);
  });

  test('an MCP tool matches by its server and by its full name', async () => {
    await using _ = await createPolicy('mcp-server-allowlist', { allowed_servers: ['files'] });
    await using __ = await createPolicy('tool-allowlist', { blocked_tools: ['mcp:files:delete'] });
    expect(await check('delete', { mcp_server: 'files' })).toMatchObject({
      decision: 'deny',
      reason: "Tool 'mcp:files:delete' is blocked",
    });
    expect(await check('read', { mcp_server: 'files' })).toEqual(allowed);
    expect(await check('read', { mcp_server: 'web' })).toMatchObject({
      reason: "MCP server 'web' is not allowed",
    });
  });

  test('a tool that needs approval creates a request, and runs once after it is approved', async () => {
    await using _ = await createPolicy('approval', { require_approval_for: ['deploy'] });
    const reason = "Tool 'deploy' requires approval before execution";
    const approvalDecision = { decision: 'ask', policy: 'approval', reason };
    expect(await check('deploy')).toEqual(approvalDecision);
    expect(await check('deploy')).toEqual(approvalDecision);
    const { results } = await service.byOwner.approvals.listApprovals({
      query: { status: 'pending' },
    });
    expect(results).toMatchObject([
      { action_type: 'deploy', agent_id: device.id, user_id: 'grace', agent_name: 'claude-code' },
    ]);
    const params = { id: results[0]?.id ?? '' };
    await service.byOwner.approvals.approve({ params, body: {} });
    expect(await check('deploy')).toEqual(allowed);
    expect(await check('deploy')).toEqual(approvalDecision);
    const [next] = (await service.byOwner.approvals.listApprovals({ query: { status: 'pending' } }))
      .results;
    await service.byOwner.approvals.deny({ params: { id: next?.id ?? '' }, body: {} });
    expect(await check('deploy')).toMatchObject({ decision: 'deny' });
  });

  test('a device gets the policies that apply to it, in a form that it can evaluate', async () => {
    await using tools = await createPolicy('tool-allowlist', { blocked_tools: ['Bash'] });
    await using _ = await createPolicy(
      'approval',
      { require_approval_for: ['deploy'] },
      { scope: { agents: ['codex'] } },
    );
    await using __ = await createPolicy('kill', {}, { scope: { user_groups: ['sales'] } });
    await using ___ = await createPolicy('llm', {});
    expect(await policiesOf('claude-code')).toEqual({
      agent: 'claude-code',
      policies: [
        {
          decides: 'tools',
          id: tools.id,
          name: 'tool-allowlist',
          rules: { allowed_tools: [], blocked_tools: ['Bash'], action_on_violation: 'block' },
        },
      ],
    });
    expect((await policiesOf('codex'))?.policies).toMatchObject([
      { decides: 'tools' },
      { decides: 'control-plane', tools: ['deploy'] },
    ]);
  });

  test('the configured mapping determines the agent of a coding agent', async () => {
    await service.byOwner.captures.putCaptureAgent({
      body: { device_id: device.id, app: 'codex-cli', agent_name: 'builder' },
    });
    await using _ = await createPolicy(
      'tool-allowlist',
      { blocked_tools: ['shell'] },
      { scope: { agents: ['builder'] } },
    );
    expect(await policiesOf('codex')).toMatchObject({ agent: 'builder', policies: [{}] });
    expect(await check('shell', { client: 'codex' })).toMatchObject({ decision: 'deny' });
    expect(await check('shell')).toEqual(allowed);
  });

  test('calls that the device decided are evaluated once, with their time', async () => {
    await using _ = await createPolicy('tool-allowlist', { blocked_tools: ['rm'] });
    const at = new Date(Date.now() - 5000).toISOString();
    const body = {
      batch_id: 'batch-of-tools',
      calls: [
        { ...call('rm', { client: 'cursor' }), at },
        { ...call('ls', { client: 'cursor' }), at },
      ],
    };
    const report = () => device.client.device.reportToolCalls({ body });
    expect(await report()).toEqual({ accepted: 2, duplicate: false });
    expect(await report()).toEqual({ accepted: 0, duplicate: true });
    const recorded = await evaluationsOf('cursor');
    expect(recorded.map(({ action }) => action).toSorted()).toEqual(['allow', 'block']);
    expect(recorded[0]?.created_at).toBe(at);
    expect(await incidentsOf('cursor')).toMatchObject([{ reason: "Tool 'rm' is blocked" }]);
  });

  test('no policy is evaluated while Guard disables checks', async () => {
    await using _ = await createPolicy('tool-allowlist', { blocked_tools: ['Bash'] });
    await guard('off');
    expect(await check('Bash', { client: 'gemini-cli' })).toEqual(allowed);
    expect(await evaluationsOf('gemini-cli')).toEqual([]);
    await guard('open');
  });
});
