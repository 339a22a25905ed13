import { describe, expect, test } from 'vitest';
import { type CaptureFacts, captureLevel } from './capture-level.ts';
import { isInterpreterOf, trustStoreOf } from './trust-store.ts';

const host = 'api.anthropic.com';
const google = 'generativelanguage.googleapis.com';
const facts: CaptureFacts = {
  capturedHosts: new Set([host, google]),
  contents: [],
  refusals: [],
  reached: [],
};
const content = (app_id: string | null, process: string, started_at = 10, to = host) => ({
  app_id,
  process,
  host: to,
  started_at,
});
const refusal = (app_id: string | null, process: string, since = 10, to = host) => ({
  app_id,
  process,
  host: to,
  since,
});
const claude = 'claude-code';
const gemini = 'gemini-cli';

test.each<[string, string, Partial<CaptureFacts>, string, string]>([
  ['nothing known of a native program', claude, {}, 'unknown', 'not_seen'],
  ['a Node program that nothing was seen of', gemini, {}, 'metadata', 'own_store'],
  ['a Python program', 'aider', {}, 'metadata', 'own_store'],
  ['a program in Rust', 'aichat', {}, 'unknown', 'not_seen'],
  ['an app of the desktop', 'claude-desktop', {}, 'unknown', 'not_seen'],
  ['a server on the device', 'ollama', {}, 'metadata', 'local_server'],
  ['capture on for nothing', claude, { capturedHosts: new Set() }, 'off', 'capture_off'],
  [
    'capture on for other hosts',
    claude,
    { reached: [{ app_id: claude, host: 'claude.ai' }] },
    'off',
    'hosts_off',
  ],
  ['content of it', claude, { contents: [content(claude, 'claude')] }, 'content', 'content_seen'],
  [
    'content of its program',
    claude,
    { contents: [content(null, 'claude')] },
    'content',
    'content_seen',
  ],
  [
    'content of another app',
    claude,
    { contents: [content('codex-cli', 'codex')] },
    'unknown',
    'not_seen',
  ],
  ['a refusal', claude, { refusals: [refusal(claude, 'claude')] }, 'metadata', 'refused'],
  [
    'content, and a refusal since',
    claude,
    { contents: [content(claude, 'claude', 9)], refusals: [refusal(claude, 'claude', 10)] },
    'metadata',
    'refused',
  ],
  [
    'a refusal, and content since',
    claude,
    { contents: [content(claude, 'claude', 11)], refusals: [refusal(claude, 'claude', 10)] },
    'content',
    'content_seen',
  ],
  [
    'its interpreter, with a host that it reaches',
    gemini,
    {
      contents: [content(null, 'node', 10, google)],
      reached: [{ app_id: gemini, host: google }],
    },
    'content',
    'content_seen',
  ],
  [
    'its interpreter, with a host that it was not seen to reach',
    gemini,
    { contents: [content(null, 'node')], reached: [{ app_id: gemini, host: google }] },
    'metadata',
    'own_store',
  ],
  [
    'a refusal of its interpreter',
    gemini,
    { refusals: [refusal(null, 'node', 10, google)], reached: [{ app_id: gemini, host: google }] },
    'metadata',
    'refused',
  ],
])('%s', (_, app, known, level, reason) => {
  expect(captureLevel(app, { ...facts, ...known })).toMatchObject({ app_id: app, level, reason });
});

describe('the hosts that the reason is about', () => {
  test('are those that were refused, each once', () => {
    const refusals = [
      refusal(claude, 'claude'),
      refusal(null, 'claude'),
      refusal(claude, 'claude', 1, google),
    ];
    expect(captureLevel(claude, { ...facts, refusals }).hosts).toEqual([host, google]);
  });

  test('or those that capture is not on for', () => {
    const reached = ['claude.ai', 'a.example'].map((to) => ({ app_id: claude, host: to }));
    expect(captureLevel(claude, { ...facts, reached }).hosts).toEqual(['a.example', 'claude.ai']);
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
])('%s trusts what %s says', (id, store) => {
  expect(trustStoreOf(id)).toBe(store);
});

test.each([
  ['node', 'node', true],
  ['node', 'python3', false],
  ['python', 'python3.12', true],
  ['python', null, false],
  ['system', 'node', false],
] as const)('an interpreter for %s: %s', (store, process, is) => {
  expect(isInterpreterOf(store, process)).toBe(is);
});
