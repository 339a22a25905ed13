import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claudeCodeEnvironment } from '#domain/coding-agents/claude-code-settings.ts';
import { codexTable } from '#domain/coding-agents/codex-settings.ts';
import { relayUrl } from '#domain/coding-agents/relay-address.ts';
import { freePort } from '#test/support/processes.ts';
import type { AgentRuntime } from '../start-agent.ts';
import { noCapture } from '../testing/control-plane.ts';
import { setUpAgent } from '../testing/set-up-agent.ts';

const world = setUpAgent();

let toolPreferences: string;
let systemRoot: string;
let otlpPort: number;
beforeEach(async () => {
  toolPreferences = mkdtempSync(join(tmpdir(), 'gatehouse-preferences-'));
  systemRoot = mkdtempSync(join(tmpdir(), 'gatehouse-system-'));
  otlpPort = await freePort();
});
afterEach(() => {
  for (const folder of [toolPreferences, systemRoot])
    rmSync(folder, { recursive: true, force: true });
});

const pathOf = (domain: string) => join(toolPreferences, `${domain}.plist`);
const CLAUDE_CODE = 'com.anthropic.claudecode';
const CODEX = 'com.openai.codex';
const codexConfiguration = (toml: string) => ({
  config_toml_base64: Buffer.from(toml).toString('base64'),
});
function deliver(endpoint: string): void {
  const target = { level: 'metadata' as const, endpoint };
  writeFileSync(pathOf(CLAUDE_CODE), build({ env: claudeCodeEnvironment(target) }));
  writeFileSync(pathOf(CODEX), build(codexConfiguration(codexTable(target))));
}
const start = () => world.place.start({ toolPreferences, systemRoot, otlpPort });
const filesOf = (agent: AgentRuntime) =>
  agent.status().coding_agents.files.map(({ tool, written_at }) => [tool, written_at !== null]);
const post = (path: string) =>
  fetch(`${relayUrl(otlpPort)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
  });

test('tools with settings of device management need no files, also while the agent runs', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  const agent = await start();
  const others = [
    'GitHub Copilot',
    'Gemini CLI',
    'Qwen Code',
    'opencode',
    'opencode',
    'Goose',
    'Cursor',
  ];
  const written = others.map((tool) => [tool, true]);
  await vi.waitFor(() => expect(filesOf(agent)).toHaveLength(others.length + 3));
  deliver(relayUrl(otlpPort));
  const delivered = [
    ['Claude Code', false],
    ['Codex', false],
  ];
  await vi.waitFor(() => expect(filesOf(agent)).toEqual([...written, ...delivered]));
  expect(agent.status().problems).toEqual([]);
  expect(existsSync(join(systemRoot, 'etc/codex'))).toBe(false);
  for (const domain of [CLAUDE_CODE, CODEX]) rmSync(pathOf(domain));
  await vi.waitFor(() =>
    expect(readFileSync(join(systemRoot, 'etc/codex/managed_config.toml'), 'utf8')).toContain(
      'svc_sd_',
    ),
  );
});

test('settings that send elsewhere are a problem, and the files stay as they are', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  deliver('https://otel.example');
  const agent = await start();
  const why = 'sends telemetry to otel.example, not to this agent';
  await vi.waitFor(() =>
    expect(agent.status().problems).toEqual([
      `coding agents: ${pathOf(CLAUDE_CODE)}: ${why}: Claude Code is not recorded`,
      `coding agents: ${pathOf(CODEX)}: ${why}: Codex is not recorded`,
    ]),
  );
  expect(filesOf(agent).map(([tool]) => tool)).not.toContain('Codex');
});

test('an agent that cannot write listens for tools with delivered settings until Guard is off', async () => {
  // A file in place of the folder also stops root.
  for (const folder of ['etc', 'Library']) writeFileSync(join(systemRoot, folder), '');
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  deliver(relayUrl(otlpPort));
  const agent = await start();
  await vi.waitFor(() => expect(filesOf(agent)).toHaveLength(2));
  expect(agent.status().problems.join()).not.toMatch(/claude|codex/i);
  expect(agent.status().problems.join()).toMatch(/gemini/i);
  await vi.waitFor(async () => expect((await post('/v1/unknown')).status).toBe(404));
  world.plane.config = { ...noCapture, version: 3 };
  world.plane.push({ type: 'config', config: world.plane.config });
  await vi.waitFor(() => expect(post('/v1/logs')).rejects.toThrow('fetch failed'));
  expect(agent.status().coding_agents).toMatchObject({ level: 'off', files: [] });
});

test('an agent that writes no files listens, and reports what is not recorded', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  deliver(relayUrl(otlpPort));
  const agent = await world.place.start({ toolPreferences, systemRoot: null, otlpPort });
  const delivered = [
    ['Claude Code', false],
    ['Codex', false],
  ];
  await vi.waitFor(() => expect(filesOf(agent)).toEqual(delivered));
  expect(agent.status().problems).toEqual([]);
  expect((await post('/v1/unknown')).status).toBe(404);
  writeFileSync(pathOf(CODEX), build(codexConfiguration('model = "gpt-5"')));
  await vi.waitFor(() =>
    expect(agent.status().problems).toEqual([
      `coding agents: ${pathOf(CODEX)}: config_toml_base64 has no [otel] with an endpoint of otlp-http: Codex is not recorded`,
    ]),
  );
  expect(filesOf(agent)).toEqual([['Claude Code', false]]);
  world.plane.config = { ...noCapture, version: 3 };
  world.plane.push({ type: 'config', config: world.plane.config });
  await vi.waitFor(() => expect(post('/v1/logs')).rejects.toThrow('fetch failed'));
  expect(agent.status()).toMatchObject({ problems: [], coding_agents: { files: [] } });
});

test('an agent that writes no files keeps the list of those that an earlier one wrote', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  const earlier = await start();
  await vi.waitFor(() => expect(filesOf(earlier)).toHaveLength(10));
  await world.place.stopAll();
  world.plane.config = { ...noCapture, version: 3 };
  const agent = await world.place.start({ toolPreferences, systemRoot: null, otlpPort });
  const ledger = join(world.place.stateDir, 'coding-agents.json');
  await vi.waitFor(() =>
    expect(JSON.parse(readFileSync(ledger, 'utf8'))).toMatchObject({ key: null }),
  );
  expect(filesOf(agent)).toHaveLength(10);
});

test('Codex is recorded by its file if its preferences set up no telemetry', async () => {
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  writeFileSync(pathOf(CODEX), build(codexConfiguration('model = "gpt-5"')));
  const agent = await start();
  await vi.waitFor(() => expect(filesOf(agent)).toContainEqual(['Codex', true]));
  await vi.waitFor(() => expect(filesOf(agent)).toHaveLength(10));
  expect(agent.status().problems).toEqual([]);
});

test('the settings of another user do not count', async () => {
  mkdirSync(join(toolPreferences, 'another'));
  toolPreferences = join(toolPreferences, 'another');
  deliver(relayUrl(otlpPort));
  toolPreferences = join(toolPreferences, '..');
  world.plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  const agent = await start();
  await vi.waitFor(() => expect(filesOf(agent)).toHaveLength(10));
});
