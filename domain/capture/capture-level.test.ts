import { describe, expect, test } from 'vitest';
import { type CaptureFacts, captureLevel, isInterpreterOf, trustStoreOf } from './capture-level.ts';

const HOST = 'api.anthropic.com';
const GOOGLE = 'generativelanguage.googleapis.com';
const facts: CaptureFacts = {
  capturedHosts: new Set([HOST, GOOGLE]),
  contents: [],
  refusals: [],
  reached: [],
};
const content = (app_id: string | null, process: string, started_at = 10, to = HOST) => ({
  app_id,
  process,
  host: to,
  started_at,
});
const refusal = (app_id: string | null, process: string, since = 10, to = HOST) => ({
  app_id,
  process,
  host: to,
  since,
});
const CLAUDE = 'claude-code';
const GEMINI = 'gemini-cli';

test.each<[string, string, Partial<CaptureFacts>, string, string]>([
  ['nothing known of a native program', CLAUDE, {}, 'unknown', 'not_seen'],
  ['a Node program that nothing was seen of', GEMINI, {}, 'metadata', 'own_store'],
  ['a Python program', 'aider', {}, 'metadata', 'own_store'],
  ['a program in Rust', 'aichat', {}, 'unknown', 'not_seen'],
  ['an app of the desktop', 'claude-desktop', {}, 'unknown', 'not_seen'],
  ['a server on the device', 'ollama', {}, 'metadata', 'local_server'],
  ['capture on for nothing', CLAUDE, { capturedHosts: new Set() }, 'off', 'capture_off'],
  [
    'capture on for other hosts',
    CLAUDE,
    { reached: [{ app_id: CLAUDE, host: 'claude.ai' }] },
    'off',
    'hosts_off',
  ],
  ['content of it', CLAUDE, { contents: [content(CLAUDE, 'claude')] }, 'content', 'content_seen'],
  [
    'content of its program',
    CLAUDE,
    { contents: [content(null, 'claude')] },
    'content',
    'content_seen',
  ],
  [
    'content of another app',
    CLAUDE,
    { contents: [content('codex-cli', 'codex')] },
    'unknown',
    'not_seen',
  ],
  ['a refusal', CLAUDE, { refusals: [refusal(CLAUDE, 'claude')] }, 'metadata', 'refused'],
  [
    'content, and a refusal since',
    CLAUDE,
    { contents: [content(CLAUDE, 'claude', 9)], refusals: [refusal(CLAUDE, 'claude', 10)] },
    'metadata',
    'refused',
  ],
  [
    'a refusal, and content since',
    CLAUDE,
    { contents: [content(CLAUDE, 'claude', 11)], refusals: [refusal(CLAUDE, 'claude', 10)] },
    'content',
    'content_seen',
  ],
  [
    'its interpreter, with a host that it reaches',
    GEMINI,
    {
      contents: [content(null, 'node', 10, GOOGLE)],
      reached: [{ app_id: GEMINI, host: GOOGLE }],
    },
    'content',
    'content_seen',
  ],
  [
    'its interpreter, with a host that it was not seen to reach',
    GEMINI,
    { contents: [content(null, 'node')], reached: [{ app_id: GEMINI, host: GOOGLE }] },
    'metadata',
    'own_store',
  ],
  [
    'a refusal of its interpreter',
    GEMINI,
    { refusals: [refusal(null, 'node', 10, GOOGLE)], reached: [{ app_id: GEMINI, host: GOOGLE }] },
    'metadata',
    'refused',
  ],
])('%s', (_, app, known, level, reason) => {
  expect(captureLevel(app, { ...facts, ...known })).toMatchObject({ app_id: app, level, reason });
});

describe('the hosts of a reason', () => {
  test('are the refused hosts without duplicates', () => {
    const refusals = [
      refusal(CLAUDE, 'claude'),
      refusal(null, 'claude'),
      refusal(CLAUDE, 'claude', 1, GOOGLE),
    ];
    expect(captureLevel(CLAUDE, { ...facts, refusals }).hosts).toEqual([HOST, GOOGLE]);
  });

  test('are the reached hosts if capture is on for none of them', () => {
    const reached = ['claude.ai', 'a.example'].map((to) => ({ app_id: CLAUDE, host: to }));
    expect(captureLevel(CLAUDE, { ...facts, reached }).hosts).toEqual(['a.example', 'claude.ai']);
  });
});

test.each([
  ['claude-code', 'system'],
  ['codex-cli', 'system'],
  ['opencode', 'system'],
  ['gemini-cli', 'node'],
  ['qwen-code', 'node'],
  ['aider', 'python'],
  ['no-such-app', 'unknown'],
])('%s uses the trust store %s', (id, store) => {
  expect(trustStoreOf(id)).toBe(store);
});

test.each([
  ['node', 'node', true],
  ['node', 'python3', false],
  ['python', 'python3.12', true],
  ['python', null, false],
  ['system', 'node', false],
] as const)('programs with the trust store %s run on %s: %s', (store, process, is) => {
  expect(isInterpreterOf(store, process)).toBe(is);
});
