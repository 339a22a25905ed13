import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'plist';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hookSamples } from '#agent/core/tool-checks/testing/hook-samples.ts';
import type { HookClient } from '#agent/core/tool-checks/tool-event.ts';
import type { GuardConfig, ToolCheckMode } from '#contract/guard.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import {
  type InterruptibleProxy,
  startInterruptibleProxy,
} from '../support/interruptible-proxy.ts';
import { readProfile } from '../support/device.ts';
import { pollUntil, type Program, root, startProgram } from '../support/processes.ts';

const files = {
  'claude-code': 'etc/claude-code/managed-settings.d/91-gatehouse-hooks.json',
  codex: 'etc/codex/requirements.toml',
  'gemini-cli': 'etc/gemini-cli/settings.json',
  cursor: 'etc/cursor/hooks.json',
  copilot: 'etc/github-copilot/policy.d/90-gatehouse.json',
  'qwen-code': 'etc/qwen-code/settings.json',
  opencode: 'etc/opencode/gatehouse-tool-checks.js',
} as const;
type Written = keyof typeof files;
const isWritten = (client: HookClient): client is Written => client in files;

/**
 * Uses a real control plane, a real agent process whose system is a folder, and the hooks that it
 * wrote.
 */
describe('checks of tool calls, end to end', { tags: ['curl'] }, () => {
  let service: TestControlPlane;
  let folder: string;
  let env: Record<string, string>;
  let agent: Program;
  let line: InterruptibleProxy;

  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-tools-'));
    mkdirSync(join(folder, 'system'));
    const { config, root: authority } = await readProfile(service);
    line = await startInterruptibleProxy(new URL(service.urls.device));
    const api_url = `https://127.0.0.1:${line.port}`;
    writeFileSync(join(folder, 'managed.plist'), build({ ...config, api_url }));
    writeFileSync(join(folder, 'roots.pem'), authority);
    env = {
      MANAGED_PREFERENCES: join(folder, 'managed.plist'),
      AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
      AGENT_STATE_DIR: join(folder, 'state'),
      AGENT_SYSTEM_ROOT: join(folder, 'system'),
      AGENT_HARDWARE_ID: 'machine-of-the-test',
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_FLOW_UPLOAD_SECONDS: '0.2',
      AGENT_PROXY_PORT: 'off',
      AGENT_OTLP_PORT: '0',
    };
    agent = startProgram('agent/headless.ts', env);
    await agent.waitForOutput('enrolled as');
    await guard('open');
    await service.byOwner.policies.createPolicy({
      body: { name: 'No shell', category: 'tool-allowlist', rules: { blocked_tools: shells } },
    });
    await pollUntil(installedPolicies, (known) => known.includes('No shell'));
  });
  afterAll(async () => {
    await agent?.stop();
    await line?.interrupt();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const shells = [
    'Bash',
    'bash',
    'Shell',
    'shell',
    'run_shell_command',
    'mcp:github:*',
    'mcp:sample:delete',
  ];
  const guard = (tool_checks: ToolCheckMode, more: GuardConfig = {}) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config: { tool_checks, ...more } } });
  const textOf = (path: string): string =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';
  const installedPolicies = () => textOf('state/tool-policies.json');
  const settingsOf = (client: Written) => textOf(`system/${files[client]}`);
  /** Returns the command of the hook from the settings that the agent wrote. */
  const commandOf = (client: Written): string => {
    const content: unknown =
      client === 'codex' ? parse(settingsOf(client)) : JSON.parse(settingsOf(client));
    const [found] = textsIn(content).filter((one) => one.includes('/hook/'));
    if (found === undefined) throw new Error(`no hook of ${client}`);
    return found;
  };
  type Command = readonly [string, ...string[]];
  const agentCommand = (client: HookClient): Command => [
    process.execPath,
    'agent/headless.ts',
    'hook',
    client,
  ];
  /** Returns the hook that the agent wrote, else the command with which a person sets one up. */
  const hookOf = (client: HookClient): Command =>
    isWritten(client) ? ['/bin/sh', '-c', commandOf(client)] : agentCommand(client);
  const runHook = async (
    client: HookClient,
    event: object,
    [program, ...args] = hookOf(client),
  ) => {
    const child = spawn(program, args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(event));
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on('close', resolve)),
    ]);
    return { code, err, answer: out === '' ? null : (JSON.parse(out) as unknown) };
  };
  const claude = (tool_name: string) => ({
    session_id: 'session-1',
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input: { command: 'ls' },
  });
  const denied = (reason: string) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining(reason) as string,
    },
  });
  const evaluationsOf = async (agentName: string) =>
    (await service.byOwner.evaluations.listEvaluations({ query: { agent: agentName } })).results;

  test.each(hookSamples)('$client asks before $call.tool', async ({ client, event, call }) => {
    if (isWritten(client)) await pollUntil(() => settingsOf(client), Boolean);
    const { code, err, answer } = await runHook(client, event);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const isShell = call !== 'skip' && (shells.includes(call.tool) || call.mcp_server === 'github');
    const refused = 'policy \\"No shell\\": Tool ';
    const undecided = client === 'goose' ? /^{"decision":"allow"}$/ : /^{}$/;
    expect(JSON.stringify(answer)).toMatch(isShell ? refused : undecided);
  });

  test('decisions of the device are recorded with their incidents', async () => {
    const recorded = await pollUntil(
      () => evaluationsOf('claude-code'),
      (found) => found.filter(({ action }) => action === 'block').length >= 2,
    );
    expect(recorded).toContainEqual(
      expect.objectContaining({
        action: 'block',
        policy_name: 'No shell',
        reason: "Tool 'Bash' is blocked",
      }),
    );
    const { results } = await service.byOwner.incidents.listIncidents({
      query: { agent: 'claude-code' },
    });
    // One incident per cause.
    const incident = { policy_name: 'No shell', action: 'block', occurrences: 1 };
    expect(results).toMatchObject([incident, incident]);
  });

  test('the hook command of the agent gives the same answers as its hooks', async () => {
    const { answer } = await runHook('claude-code', claude('Bash'), agentCommand('claude-code'));
    expect(answer).toEqual(denied('No shell'));
  });

  test('a tool that needs approval waits for a person other than the user', async () => {
    const { id } = await service.byOwner.policies.createPolicy({
      body: { name: 'Ask', category: 'approval', rules: { require_approval_for: ['Deploy'] } },
    });
    await pollUntil(installedPolicies, (known) => known.includes('"Ask"'));
    const waits = denied('Approval was requested');
    expect((await runHook('claude-code', claude('Deploy'))).answer).toEqual(waits);
    const { results } = await service.byOwner.approvals.listApprovals({
      query: { status: 'pending' },
    });
    await service.byOwner.approvals.approve({ params: { id: results[0]?.id ?? '' }, body: {} });
    expect((await runHook('claude-code', claude('Deploy'))).answer).toEqual({});
    expect((await runHook('claude-code', claude('Deploy'))).answer).toEqual(waits);
    expect((await runHook('claude-code', claude('Read'))).answer).toEqual({});
    await service.byOwner.policies.deletePolicy({ params: { id }, query: {} });
  });

  test('the tools of a wrapped MCP server are checked, and its calls become a run', async () => {
    await guard('open', { coding_agents: 'tools' });
    await pollUntil(
      () => textOf('system/etc/claude-code/gatehouse-otel-headers.json'),
      (found) => found.includes('svc_sd_'),
    );
    const server = 'agent/node/mcp-gateway/testing/sample-server.ts';
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['agent/headless.ts', 'mcp', '--name', 'sample', '--', process.execPath, server],
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd: root,
    });
    const client = new Client({ name: 'claude-code', version: '1.0.0' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('delete');
    await client.callTool({ name: 'echo', arguments: { value: 'hello' } });
    expect(await client.callTool({ name: 'delete' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('policy "No shell"') as string }],
    });
    await client.close();
    const [run] = await pollUntil(
      async () =>
        (await service.byOwner.runs.listRuns({ query: { workflow: 'mcp:sample' } })).results,
      ([found]) => found?.status === 'success',
    );
    expect(run).toMatchObject({ agent_name: 'claude-code', workflow_name: 'mcp:sample' });
    const { spans } = await service.byOwner.runs.getRun({ params: { id: String(run?.id) } });
    const outcomes = spans.map(({ name, status }) => `${name} ${status}`);
    expect(outcomes).toEqual(
      expect.arrayContaining(['mcp__sample__echo ok', 'mcp__sample__delete error']),
    );
    await guard('open');
  });

  test('a hook that a user removes is restored', async () => {
    rmSync(join(folder, 'system', files.cursor));
    await pollUntil(
      () => settingsOf('cursor'),
      (found) => found.includes('/hook/cursor'),
    );
  });

  test('without the control plane the device decides what it can, and the rest according to Guard', async () => {
    const { id } = await service.byOwner.policies.createPolicy({
      body: { name: 'Circuit', category: 'kill', rules: {} },
    });
    await pollUntil(installedPolicies, (known) => known.includes('Circuit'));
    await line.interrupt();
    expect((await runHook('claude-code', claude('Bash'))).answer).toEqual(denied('No shell'));
    expect((await runHook('claude-code', claude('Read'))).answer).toEqual({});
    await line.restore();
    await guard('closed');
    await pollUntil(
      () => settingsOf('claude-code'),
      (found) => found.includes('exit 2'),
    );
    await line.interrupt();
    expect((await runHook('claude-code', claude('Read'))).answer).toEqual(
      denied('the control plane cannot be reached'),
    );
    await line.restore();
    await service.byOwner.policies.deletePolicy({ params: { id }, query: {} });
    await pollUntil(installedPolicies, (known) => !known.includes('Circuit'));
  });

  test('without an agent, a hook allows or denies according to Guard; once disabled, it allows everything', async () => {
    await agent.stop('SIGKILL');
    const { code, err } = await runHook('claude-code', claude('Read'));
    expect(code).toBe(2);
    expect(err).toContain('the Gatehouse agent on this device does not answer');
    agent = startProgram('agent/headless.ts', env);
    await pollUntil(
      () => runHook('claude-code', claude('Read')),
      ({ answer }) => JSON.stringify(answer) === '{}',
    );
    await guard('off');
    for (const path of Object.values(files))
      await pollUntil(
        () => textOf(`system/${path}`),
        (found) => found === '',
      );
  });
});

/** Returns all texts in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
