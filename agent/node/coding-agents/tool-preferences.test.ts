import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { build, type PlistValue } from 'plist';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingLevels } from '#contract/guard.ts';
import { claudeCodeEnvironment } from '#domain/coding-agents/claude-code-settings.ts';
import { codexTable } from '#domain/coding-agents/codex-settings.ts';
import { relayUrl } from '#domain/coding-agents/relay-address.ts';
import {
  checkToolPreferences,
  readToolPreferences,
  type ToolPreferences,
} from './tool-preferences.ts';

const CLAUDE_CODE = 'com.anthropic.claudecode.plist';
const CODEX = 'com.openai.codex.plist';
const RELAY = relayUrl(9878);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-preferences-'));
  mkdirSync(join(folder, 'ada'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, values: PlistValue): void =>
  writeFileSync(join(folder, name), build(values));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const environment = (endpoint: string) => ({
  env: claudeCodeEnvironment({ level: 'tools', endpoint }),
});
const table = (endpoint: string) => ({
  config_toml_base64: base64(codexTable({ level: 'tools', endpoint })),
});
const read = () => readToolPreferences(folder, 'ada');
const preferencesOf = (tool: string, name: string, endpoint: string | null): ToolPreferences => ({
  tool,
  path: join(folder, name),
  endpoint,
  replacesFiles: true,
});

test('the settings of a profile are recognized at every level and on every port', () => {
  fc.assert(
    fc.property(fc.constantFrom(...recordingLevels), fc.nat(65_535), (level, port) => {
      const target = { level, endpoint: relayUrl(port) };
      put(CLAUDE_CODE, { PayloadUUID: 'x', env: claudeCodeEnvironment(target) });
      put(CODEX, { config_toml_base64: base64(codexTable(target)) });
      expect(read()).toEqual([
        preferencesOf('Claude Code', CLAUDE_CODE, target.endpoint),
        preferencesOf('Codex', CODEX, target.endpoint),
      ]);
    }),
    { numRuns: 30 },
  );
});

test('preferences of the user take precedence over those of the computer', () => {
  put(CLAUDE_CODE, environment(RELAY));
  put(`ada/${CLAUDE_CODE}`, { model: 'opus' });
  put(`ada/${CODEX}`, table(RELAY));
  put(CODEX, table('https://otel.example'));
  expect(read()).toEqual([
    preferencesOf('Claude Code', `ada/${CLAUDE_CODE}`, null),
    preferencesOf('Codex', `ada/${CODEX}`, RELAY),
  ]);
});

describe('Codex with a configuration that sets up no telemetry reads its settings file', () => {
  test.each<[string, PlistValue]>([
    ['without [otel]', { config_toml_base64: base64('model = "gpt-5"') }],
    ['no TOML', { config_toml_base64: base64('model = ') }],
    ['another type', { config_toml_base64: 1 }],
  ])('and no configuration of the computer: %s', (_, values) => {
    put(`ada/${CODEX}`, values);
    put(CODEX, table(RELAY));
    expect(read()).toEqual([
      { ...preferencesOf('Codex', `ada/${CODEX}`, null), replacesFiles: false },
    ]);
  });
});

test('preferences of Codex without a configuration do not hide that of the computer', () => {
  put(`ada/${CODEX}`, { requirements_toml_base64: base64('') });
  expect(read()).toEqual([]);
  put(CODEX, table(RELAY));
  expect(read()).toEqual([preferencesOf('Codex', CODEX, RELAY)]);
});

test.each(['', '<plist', 'bplist00'])(
  'a file that is not a property list counts as missing: %j',
  (text) => {
    writeFileSync(join(folder, CLAUDE_CODE), text);
    expect(read()).toEqual([]);
  },
);

test.each<[string, PlistValue]>([
  [
    'telemetry that is switched off',
    { env: { ...environment(RELAY).env, CLAUDE_CODE_ENABLE_TELEMETRY: '0' } },
  ],
  ['no environment', { permissions: { deny: [] } }],
])('Claude Code with %s sends nothing, whatever its files contain', (_, values) => {
  put(CLAUDE_CODE, values);
  expect(read()).toEqual([preferencesOf('Claude Code', CLAUDE_CODE, null)]);
});

test('telemetry counts as delivered if it goes to the agent or to its control plane', () => {
  const one = (endpoint: string | null): ToolPreferences => ({
    tool: 'Codex',
    path: '/codex.plist',
    endpoint,
    replacesFiles: true,
  });
  const recording = { endpoint: 'https://gatehouse.example/api/v1/otel', relay: RELAY };
  const found = [RELAY, recording.endpoint, 'https://otel.example:4318/x', 'x', null].map(one);
  // Files that the tool ignores make no difference.
  expect(checkToolPreferences(found, recording, new Set(['Codex']))).toEqual({
    delivered: [one(RELAY), one(recording.endpoint)],
    problems: [
      '/codex.plist: sends telemetry to otel.example:4318, not to this agent: Codex is not recorded',
      '/codex.plist: sends telemetry to an invalid address, not to this agent: Codex is not recorded',
      '/codex.plist: replaces all settings files, and sends no telemetry: Codex is not recorded',
    ],
  });
  const withoutRelay = { ...recording, relay: null };
  expect(checkToolPreferences([one(RELAY)], withoutRelay, new Set()).problems).toHaveLength(1);
});

test('a configuration of Codex without telemetry is a problem unless its settings file has it', () => {
  const one = { tool: 'Codex', path: '/codex.plist', endpoint: null, replacesFiles: false };
  const check = (...written: string[]) =>
    checkToolPreferences([one], { endpoint: 'https://x.example', relay: RELAY }, new Set(written));
  expect(check('Claude Code')).toEqual({
    delivered: [],
    problems: [
      '/codex.plist: config_toml_base64 has no [otel] with an endpoint of otlp-http: Codex is not recorded',
    ],
  });
  expect(check('Codex')).toEqual({ delivered: [], problems: [] });
});
