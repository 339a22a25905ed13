import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type PlistValue } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURSOR_RECORD_PATH } from '#agent/core/coding-agents/cursor-record-command.ts';
import { requestFromAgent } from '#agent/node/tool-checks/agent-client.ts';
import type { GuardConfig } from '#contract/guard.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import {
  type CursorCommonFields,
  type CursorHookEvents,
  fireCursorHooks,
} from '../support/cursor-stand-in.ts';
import { readProfile } from '../support/device.ts';
import { pollUntil, type Program, startCommand, startProgram } from '../support/processes.ts';

const HOOKS = 'etc/cursor/hooks.json';
const COMPANY = `{
  "version": 1,
  "hooks": { "stop": [{ "command": "/bin/echo '{}'" }] }
}
`;

/** Uses a real control plane, a real agent process, and a stand-in for Cursor. */
describe('Cursor, recorded by hooks', { tags: ['curl'] }, () => {
  let service: TestControlPlane;
  let folder: string;
  let env: Record<string, string>;
  let agent: Program;

  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-cursor-'));
    const { config, root } = await readProfile(service);
    writeFileSync(join(folder, 'managed.plist'), build(config as PlistValue));
    writeFileSync(join(folder, 'roots.pem'), root);
    mkdirSync(dirname(hooksFile()), { recursive: true });
    writeFileSync(hooksFile(), COMPANY);
    env = {
      MANAGED_PREFERENCES: join(folder, 'managed.plist'),
      AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
      AGENT_STATE_DIR: join(folder, 'state'),
      AGENT_SYSTEM_ROOT: join(folder, 'system'),
      AGENT_HARDWARE_ID: 'machine-of-the-test',
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_PROXY_PORT: 'off',
      AGENT_OTLP_PORT: '0',
    };
    agent = startProgram('agent/headless.ts', env);
    await agent.waitForOutput('enrolled as');
  });
  afterAll(async () => {
    await agent?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const hooksFile = (): string => join(folder, 'system', HOOKS);
  const hooksText = (): string =>
    existsSync(hooksFile()) ? readFileSync(hooksFile(), 'utf8') : '';
  const guard = (config: GuardConfig) =>
    service.byOwner.guard.putLayer({ body: { layer: 'global', config } });
  const becomes = (accepted: (text: string) => boolean) => pollUntil(hooksText, accepted);
  const records = (text: string): boolean => text.includes('/record/cursor');
  const checks = (text: string): boolean => text.includes('/hook/cursor');

  /** A prompt in a conversation, with the events that the test fires. */
  const begin = (more: Partial<CursorCommonFields> = {}) => {
    const common: CursorCommonFields = {
      conversation_id: randomUUID(),
      generation_id: randomUUID(),
      model: 'claude-sonnet-4-6',
      user_email: 'grace@example.com',
      ...more,
    };
    const fire = async <K extends keyof CursorHookEvents>(name: K, fields: CursorHookEvents[K]) => {
      const runs = await fireCursorHooks(hooksFile(), name, fields, common);
      expect(runs.filter(({ code, timedOut }) => code !== 0 || timedOut)).toEqual([]);
      for (const { output } of runs) expect(output).toEqual({});
      return runs.length;
    };
    return { common, fire };
  };
  const runOf = async ({ conversation_id }: CursorCommonFields) => {
    const [listed] = await pollUntil(
      async () =>
        (await service.byOwner.runs.listRuns({ query: { session: conversation_id } })).results,
      (found) => found.some(({ status }) => status !== 'running'),
    );
    return service.byOwner.runs.getRun({ params: { id: String(listed?.id) } });
  };
  const tokens = (input: number, output: number, read = 0) => ({
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: read,
    cache_write_tokens: 0,
  });
  const shell = {
    tool_name: 'Shell',
    tool_input: { command: 'curl wttr.in/Paris' },
    tool_output: '{"exitCode":0,"stdout":"20 degrees"}',
    tool_use_id: 'tool_1',
    duration: 14.726,
  };
  const edit = {
    file_path: '/home/grace/x/weather.ts',
    edits: [{ old_string: 'const a = 1;\n', new_string: 'const a = 2;\nconst b = 3;\n' }],
  };
  const write = {
    tool_name: 'Write',
    tool_input: { file_path: edit.file_path, content: 'const b = 3;' },
    tool_output: '{"ok":true}',
    tool_use_id: 'tool_2',
    duration: 3,
  };

  test('a prompt is a run with its calls, tokens, tools and changed lines', async () => {
    await guard({ coding_agents: 'tools' });
    await becomes(records);
    const { common, fire } = begin();
    await fire('beforeSubmitPrompt', { prompt: 'Is it warm in Paris?' });
    await fire('afterAgentResponse', { text: 'I will look.', ...tokens(100, 10) });
    await fire('postToolUse', shell);
    await fire('afterFileEdit', edit);
    await fire('postToolUse', write);
    const last = { text: 'It is 20 degrees.', ...tokens(250, 30, 90) };
    await fire('afterAgentResponse', last);
    // Cursor runs a hook again if another of its settings has the same entry.
    await fire('afterAgentResponse', last);
    await fire('postToolUse', shell);
    await fire('stop', { status: 'completed', loop_count: 0, ...tokens(260, 32, 90) });
    const run = await runOf(common);
    expect(run).toMatchObject({
      agent_name: 'cursor',
      session_id: common.conversation_id,
      user_id: 'grace@example.com',
      status: 'success',
      inputs: { value: 'Is it warm in Paris?' },
      result: { value: 'It is 20 degrees.' },
    });
    expect(
      run.llm_calls.map(({ model, tokens_in, tokens_out, cache_read_tokens }) => ({
        model,
        tokens_in,
        tokens_out,
        cache_read_tokens,
      })),
    ).toEqual([
      { model: 'claude-sonnet-4-6', tokens_in: 100, tokens_out: 10, cache_read_tokens: 0 },
      { model: 'claude-sonnet-4-6', tokens_in: 160, tokens_out: 22, cache_read_tokens: 90 },
    ]);
    const tools = run.spans.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ name, status }) => `${name} ${status}`)).toEqual(['Shell ok', 'Write ok']);
    expect(JSON.stringify(tools)).toContain('20 degrees');
    const work = await service.byOwner.codingAgents.getCodingWork({ query: { agent: 'cursor' } });
    expect(work.total).toMatchObject({ prompts: 1, lines_added: 2, lines_removed: 1 });
  });

  test('failures, and how a turn ended, are recorded', async () => {
    const { common, fire } = begin({ model: 'default' });
    await fire('beforeSubmitPrompt', { prompt: 'Deploy' });
    await fire('postToolUseFailure', {
      tool_name: 'Grep',
      tool_input: { pattern: 'x' },
      tool_use_id: 'tool_1',
      error_message: 'Path does not exist',
      failure_type: 'error',
      duration: 6.889,
      is_interrupt: false,
    });
    await fire('stop', { status: 'aborted', loop_count: 0, ...tokens(40, 4) });
    const run = await runOf(common);
    expect(run).toMatchObject({ status: 'error', error: 'aborted', tokens: 44 });
    expect(run.llm_calls).toMatchObject([{ model: 'Auto', tokens_in: 40 }]);
    const [tool] = run.spans.filter(({ kind }) => kind === 'tool');
    expect(tool).toMatchObject({ name: 'Grep', status: 'error' });
    const params = { id: String(run.id), span_id: String(tool?.id) };
    const stored = await service.byOwner.runs.getSpan({ params });
    expect(JSON.stringify(stored)).toContain('Path does not exist');
  });

  test('a version that reports no tokens, and events in another order, make one run', async () => {
    const { common, fire } = begin({ user_email: null });
    await fire('stop', { status: 'completed', loop_count: 0 });
    await fire('afterAgentResponse', { text: 'Done.' });
    await fire('postToolUse', shell);
    await fire('beforeSubmitPrompt', { prompt: 'Is it warm in Paris?' });
    const run = await runOf(common);
    await pollUntil(
      async () => (await runOf(common)).spans.filter(({ kind }) => kind === 'tool').length,
      (found) => found === 1,
    );
    expect(run).toMatchObject({ status: 'success', tokens: 0, result: { value: 'Done.' } });
    expect(run.llm_calls).toHaveLength(1);
    const { results } = await service.byOwner.runs.listRuns({
      query: { session: common.conversation_id },
    });
    expect(results).toHaveLength(1);
  });

  test('both purposes share the file, and each is removed alone', async () => {
    await guard({ coding_agents: 'metadata', tool_checks: 'open' });
    await becomes((text) => records(text) && checks(text));
    const { common, fire } = begin();
    const asked = { tool_name: 'Write', tool_input: {}, tool_use_id: 'tool_1' };
    expect(await fire('preToolUse', asked)).toBe(1);
    await fire('afterFileEdit', edit);
    await fire('postToolUse', write);
    // One of the company, and one of the agent.
    expect(await fire('stop', { status: 'completed', loop_count: 0 })).toBe(2);
    const { spans, inputs } = await runOf(common);
    const stored = JSON.stringify(spans);
    expect(stored).toContain('"lines_added":2');
    expect(stored).not.toContain('const b');
    expect(stored).not.toContain('weather.ts');
    expect(inputs).toBeNull();
    await guard({ coding_agents: 'off', tool_checks: 'open' });
    await becomes((text) => !records(text) && checks(text));
    await guard({ coding_agents: 'prompts', tool_checks: 'open' });
    await becomes((text) => records(text) && checks(text));
    await guard({ coding_agents: 'prompts', tool_checks: 'off' });
    await becomes((text) => records(text) && !checks(text));
  });

  test('a removed entry is restored', async () => {
    writeFileSync(hooksFile(), COMPANY);
    await becomes(records);
    expect(hooksText()).toContain('/bin/echo');
  });

  test('doctor lists the file', async () => {
    const doctor = startCommand([process.execPath, 'agent/headless.ts', 'doctor', '--json'], env);
    await doctor.waitForOutput(`/${HOOKS}`);
    await doctor.stop();
  });

  test('without an agent, and with recording off, Cursor works as before', async () => {
    const { common, fire } = begin();
    const command = hooksText();
    await guard({ coding_agents: 'off' });
    await becomes((text) => !records(text));
    expect(hooksText()).toBe(COMPANY);
    // A running Cursor may keep the entries that it has read.
    writeFileSync(hooksFile(), command);
    await fire('beforeSubmitPrompt', { prompt: 'Is it warm in Paris?' });
    await fire('afterAgentResponse', { text: 'Yes.' });
    await fire('stop', { status: 'completed', loop_count: 0 });
    // A hook succeeds without an answer, so this shows that the agent has taken such an event.
    const again = { ...common, hook_event_name: 'afterAgentResponse', text: 'Yes, it is.' };
    const socket = join(folder, 'state/tools.sock');
    const answer = await requestFromAgent(
      socket,
      CURSOR_RECORD_PATH,
      JSON.stringify(again),
      10_000,
    );
    expect(answer?.status).toBe(200);
    // The agent sends what it still has.
    await agent.stop();
    await fire('stop', { status: 'completed', loop_count: 1 });
    const { results } = await service.byOwner.runs.listRuns({
      query: { session: common.conversation_id },
    });
    expect(results).toEqual([]);
  });
});
