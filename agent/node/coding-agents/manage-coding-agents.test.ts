import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CodingAgentLevel } from '#contract/guard.ts';
import {
  noCapture,
  startTestControlPlane,
  type TestControlPlane,
} from '../testing/control-plane.ts';
import { createManagedTestComputer, type TestComputer } from '../testing/test-computer.ts';

let plane: TestControlPlane;
let place: TestComputer;
let systemRoot: string;
beforeEach(async () => {
  plane = await startTestControlPlane();
  place = createManagedTestComputer(plane);
  systemRoot = mkdtempSync(join(tmpdir(), 'gatehouse-system-'));
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
  await plane.stop();
  rmSync(systemRoot, { recursive: true, force: true });
});

const linux = process.platform === 'linux';
const HEADERS = linux
  ? 'etc/claude-code/gatehouse-otel-headers.json'
  : 'Library/Application Support/ClaudeCode/gatehouse-otel-headers.json';
const CODEX = 'etc/codex/managed_config.toml';
const textOf = (path: string): string =>
  existsSync(join(systemRoot, path)) ? readFileSync(join(systemRoot, path), 'utf8') : '';
const push = (version: number, coding_agents: CodingAgentLevel): void => {
  plane.config = { ...noCapture, version, coding_agents };
  plane.push({ type: 'config', config: plane.config });
};
const written = () => vi.waitFor(() => expect(textOf(HEADERS)).toContain('svc_sd_test_0'));
const gone = () => vi.waitFor(() => expect([textOf(HEADERS), textOf(CODEX)]).toEqual(['', '']));

test('settings follow Guard, are listed in the status, and are removed when Guard switches them off', async () => {
  plane.config = { ...noCapture, version: 2, coding_agents: 'metadata' };
  const agent = await place.start({ systemRoot });
  await written();
  await vi.waitFor(() => expect(textOf(CODEX)).toContain('log_user_prompt = false'));
  expect(agent.status().coding_agents).toMatchObject({
    level: 'metadata',
    files: [
      'Claude Code',
      'Claude Code',
      'Codex',
      'GitHub Copilot',
      'Gemini CLI',
      'Qwen Code',
      'opencode',
      'opencode',
      'Goose',
      'Cursor',
    ].map((tool) => ({ purpose: 'telemetry', tool })),
  });
  push(3, 'prompts');
  await vi.waitFor(() => expect(textOf(CODEX)).toContain('log_user_prompt = true'));
  expect(plane.recordingKeys).toHaveLength(1);
  push(4, 'off');
  await gone();
  expect(agent.status().coding_agents).toEqual({ level: 'off', tool_checks: 'off', files: [] });
});

test('hooks of tool checks are in the status without telemetry, and have their own purpose', async () => {
  plane.config = { ...noCapture, version: 2, tool_checks: 'open' };
  const agent = await place.start({ systemRoot });
  const codingAgents = () => agent.status().coding_agents;
  await vi.waitFor(() => expect(codingAgents().files.length).toBeGreaterThan(0));
  expect(codingAgents()).toMatchObject({ level: 'off', tool_checks: 'open' });
  expect(new Set(codingAgents().files.map(({ purpose }) => purpose))).toEqual(
    new Set(['tool_checks']),
  );
});

test('a change by others is undone, and is a problem of the device until the next configuration', async () => {
  plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  const agent = await place.start({ systemRoot });
  // The configuration also arrives over the channel, and each one that arrives ends the problem.
  await vi.waitFor(() => expect(plane.applied).toContain(2));
  await written();
  writeFileSync(join(systemRoot, HEADERS), '{}');
  await written();
  await vi.waitFor(() =>
    expect(plane.heartbeats.at(-1)?.problems).toEqual([
      expect.stringContaining('was changed by another program and has been restored'),
    ]),
  );
  push(3, 'tools');
  await vi.waitFor(() => expect(agent.status().problems).toEqual([]));
});

test('the key is renewed in time, and survives a restart', async () => {
  plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  await place.start({ systemRoot });
  await written();
  await place.stopAll();
  // Deleted, so that the file can only come from the second process.
  rmSync(join(systemRoot, HEADERS));
  await place.start({ systemRoot });
  await written();
  expect(plane.recordingKeys).toHaveLength(1);
  await place.stopAll();
  rmSync(join(place.stateDir, 'coding-agents.json'));
  plane.renewKeysAfter = 0;
  await place.start({ systemRoot });
  await vi.waitFor(() => expect(textOf(CODEX)).toContain('svc_sd_test_3'));
});

test('a revoked device removes all settings', async () => {
  plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  await place.start({ systemRoot });
  await written();
  plane.refuse = () => ({ status: 401, message: 'unknown device certificate' });
  plane.dropChannels();
  await gone();
});

test('a paused device removes all settings until the pause is over', async () => {
  const hosts = { capture_enabled: true, intercept_hosts: ['api.openai.com'], pause_minutes: 30 };
  plane.config = { ...noCapture, ...hosts, version: 2, coding_agents: 'tools' };
  const agent = await place.start({ systemRoot });
  await written();
  expect(agent.pause()).toBe(true);
  await gone();
  agent.resume();
  await vi.waitFor(() => expect(textOf(HEADERS)).toContain('svc_sd_test_1'));
});

test('without a root for system-wide settings, nothing is requested or written', async () => {
  plane.config = { ...noCapture, version: 2, coding_agents: 'tools' };
  await place.start();
  await vi.waitFor(() => expect(plane.heartbeats.length).toBeGreaterThan(3));
  expect(plane.recordingKeys).toEqual([]);
});
