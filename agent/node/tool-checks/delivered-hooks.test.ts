import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type PlistValue } from 'plist';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { claudeCodeHooks } from '#domain/coding-agents/claude-code-settings.ts';
import { codexHooksTable } from '#domain/coding-agents/codex-settings.ts';
import { hookCommand } from '#domain/coding-agents/hook-command.ts';
import { hookFailModes } from '#contract/guard.ts';
import { macToolSocket } from '#domain/coding-agents/tool-socket.ts';
import { noCapture } from '../testing/control-plane.ts';
import { setUpAgent } from '../testing/set-up-agent.ts';
import { readDeliveredHooks } from './delivered-hooks.ts';

const CLAUDE_CODE = 'com.anthropic.claudecode.plist';
const CODEX = 'com.openai.codex.plist';
const REPLACED = 'replaces all settings files, and has no hooks of this agent';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-preferences-'));
  mkdirSync(join(folder, 'ada'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, values: PlistValue): void =>
  writeFileSync(join(folder, name), build(values));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const asked = (failMode: 'open' | 'closed') => ({
  socket: macToolSocket('com.gatehouse.agent'),
  failMode,
});
const claude = (failMode: 'open' | 'closed' = 'open'): PlistValue => ({
  hooks: claudeCodeHooks(asked(failMode)),
});
const codex = (failMode: 'open' | 'closed' = 'open'): PlistValue => ({
  requirements_toml_base64: base64(codexHooksTable('/usr/bin', asked(failMode))),
});
const read = () => readDeliveredHooks(folder, 'ada');

describe('hooks of device management', () => {
  test.each(hookFailModes)('of a profile are found: %s', (failMode) => {
    put(CLAUDE_CODE, claude(failMode));
    put(CODEX, codex(failMode));
    expect(read()).toEqual([
      { tool: 'Claude Code', path: join(folder, CLAUDE_CODE), problem: null },
      { tool: 'Codex', path: join(folder, CODEX), problem: null },
    ]);
  });

  test('of the user take precedence over those of the computer', () => {
    put(CLAUDE_CODE, claude());
    put(`ada/${CLAUDE_CODE}`, { model: 'opus' });
    put(`ada/${CODEX}`, { config_toml_base64: base64('') });
    put(CODEX, codex());
    expect(read()).toEqual([
      { tool: 'Claude Code', path: join(folder, 'ada', CLAUDE_CODE), problem: REPLACED },
      { tool: 'Codex', path: join(folder, CODEX), problem: null },
    ]);
  });

  test.each<[string, PlistValue]>([
    ['hooks of another product', { hooks: { PreToolUse: [{ hooks: [{ command: 'check' }] }] } }],
    ['another type', { hooks: 'none' }],
    ['a command of another type', { hooks: { PreToolUse: [{ hooks: [{ command: 1 }] }] } }],
  ])('are not found in %s, which replaces the files of Claude Code', (_, values) => {
    put(CLAUDE_CODE, values);
    expect(read()).toEqual([
      { tool: 'Claude Code', path: join(folder, CLAUDE_CODE), problem: REPLACED },
    ]);
  });

  const ownHook = { type: 'command', command: hookCommand('claude-code', asked('open')) };
  const own = { matcher: '*', hooks: [ownHook] };
  const url = 'https://hooks.example/';
  const besides = (...groups: PlistValue[]) => ({ hooks: { PreToolUse: [...groups, own] } });

  test.each<[string, PlistValue]>([
    ['a hook of type http', besides({ matcher: '*', hooks: [{ type: 'http', url }] })],
    ['a hook of type prompt', besides({ hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] })],
    ['a group without hooks', besides({ matcher: 'Bash' })],
    ['a group of another type', besides('none')],
    [
      'another hook of its group',
      { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'http', url }, ownHook] }] } },
    ],
    ['hooks that are not disabled', { ...besides(), disableAllHooks: false }],
    ['no matcher', { hooks: { PreToolUse: [{ hooks: [ownHook] }] } }],
  ])('are found beside others: %s', (_, values) => {
    put(CLAUDE_CODE, values);
    expect(read()).toMatchObject([{ tool: 'Claude Code', problem: null }]);
  });

  test.each<[string, PlistValue]>([
    ['hooks are disabled', { ...besides(), disableAllHooks: true }],
    ['its matcher is one tool', { hooks: { PreToolUse: [{ ...own, matcher: 'Bash' }] } }],
    ['its event is another', { hooks: { PostToolUse: [own] } }],
  ])('do not run if %s', (_, values) => {
    put(CLAUDE_CODE, values);
    expect(read()).toMatchObject([{ tool: 'Claude Code', problem: REPLACED }]);
  });

  const table = codexHooksTable('/usr/bin', asked('open'));
  test.each([
    ['another type', '[[hooks.PreToolUse]]\nhooks = [{ type = "prompt" }]\n'],
    ['no hooks', '[[hooks.PreToolUse]]\nmatcher = "Bash"\n'],
  ])('of Codex are found beside %s', (_, other) => {
    put(CODEX, { requirements_toml_base64: base64(`${table}\n${other}`) });
    expect(read()).toMatchObject([{ tool: 'Codex', problem: null }]);
  });

  test.each([
    ['with', table],
    ['without', ''],
  ])('of Codex do not run %s ours if the requirements switch hooks off', (_, hooks) => {
    const off = `[features]\nhooks = false\n\n${hooks}`;
    put(CODEX, { requirements_toml_base64: base64(off) });
    expect(read()).toEqual([
      {
        tool: 'Codex',
        path: join(folder, CODEX),
        problem: 'switches hooks off ([features] hooks = false)',
      },
    ]);
  });

  test('of Codex for one tool only leave its file in use', () => {
    const one = table.replace('matcher = ".*"', 'matcher = "Bash"');
    put(CODEX, { requirements_toml_base64: base64(one) });
    expect(read()).toEqual([]);
  });

  test.each<[string, PlistValue]>([
    ['no hooks', { requirements_toml_base64: base64('allowed_approval_policies = []') }],
    ['no TOML', { requirements_toml_base64: base64('hooks = ') }],
    ['another type', { requirements_toml_base64: 1 }],
  ])('leave the file of Codex in use if the requirements have %s', (_, values) => {
    put(CODEX, values);
    expect(read()).toEqual([]);
  });
});

describe('an agent', () => {
  const world = setUpAgent();
  const start = (systemRoot: string | null) =>
    world.place.start({ toolPreferences: folder, systemRoot, otlpPort: null });

  test('lists delivered hooks, and writes the files of the other tools only', async () => {
    world.plane.config = { ...noCapture, version: 2, tool_checks: 'open' };
    put(CLAUDE_CODE, claude());
    put(CODEX, codex());
    const agent = await start(mkdtempSync(join(folder, 'system-')));
    const files = () => agent.status().coding_agents.files;
    await vi.waitFor(() =>
      expect(files().filter(({ written_at }) => written_at === null)).toEqual(
        [CLAUDE_CODE, CODEX].map((name, i) => ({
          purpose: 'tool_checks',
          tool: ['Claude Code', 'Codex'][i],
          path: join(folder, name),
          written_at: null,
          restored_at: null,
        })),
      ),
    );
    const written = files().filter(({ written_at }) => written_at !== null);
    expect(written.map(({ tool }) => tool)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Claude Code|Codex/)]),
    );
    expect(written.length).toBeGreaterThan(0);
    expect(agent.status().problems).toEqual([]);
  });

  test('that writes no files reports preferences without hooks, while Guard checks tool calls', async () => {
    world.plane.config = { ...noCapture, version: 2, tool_checks: 'closed' };
    put(CLAUDE_CODE, { model: 'opus' });
    const agent = await start(null);
    const path = join(folder, CLAUDE_CODE);
    await vi.waitFor(() =>
      expect(agent.status().problems).toEqual([
        `tool hooks: ${path}: replaces all settings files, and has no hooks of this agent: Claude Code does not ask before it calls tools`,
      ]),
    );
    world.plane.config = { ...noCapture, version: 3 };
    world.plane.push({ type: 'config', config: world.plane.config });
    await vi.waitFor(() => expect(agent.status().problems).toEqual([]));
  });
});
