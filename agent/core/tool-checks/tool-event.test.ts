import { expect, test } from 'vitest';
import { hookOutput } from './hook-output.ts';
import { hookSamples } from './testing/hook-samples.ts';
import { clientOfInfo, readToolEvent } from './tool-event.ts';

test.each(hookSamples)('$client: $event.tool_name', ({ client, event, call }) => {
  expect(readToolEvent(client, event)).toEqual(call === 'skip' ? call : { client, ...call });
});

test.each([null, [], 'text', {}, { tool_name: 7 }])('%j contains no tool name', (payload) => {
  expect(readToolEvent('claude-code', payload)).toMatchObject({ error: /claude-code: / });
});

test('a client is recognized by the name that it sends to a server', () => {
  expect(
    ['claude-code', 'codex-mcp-client', 'Cursor', 'goose-cli', 'my client'].map(clientOfInfo),
  ).toEqual(['claude-code', 'codex', 'cursor', 'goose', 'mcp-gateway']);
});

const denied = { decision: 'deny', policy: 'No shell', reason: "Tool 'Bash' is blocked" } as const;
const TEXT = `Blocked by your organization's policy "No shell": Tool 'Bash' is blocked.`;

test('each client gets a refusal in its own format', () => {
  const claude = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: TEXT,
    },
  };
  expect(hookOutput('claude-code', denied)).toEqual(claude);
  expect(hookOutput('codex', denied)).toEqual(claude);
  expect(hookOutput('gemini-cli', denied)).toEqual({ decision: 'deny', reason: TEXT });
  expect(hookOutput('cursor', denied)).toEqual({
    permission: 'deny',
    user_message: TEXT,
    agent_message: TEXT,
  });
  expect(hookOutput('copilot', denied)).toEqual({
    permissionDecision: 'deny',
    permissionDecisionReason: TEXT,
  });
  expect(hookOutput('goose', denied)).toEqual({ decision: 'block', reason: TEXT });
});

test('an allowed call is left to the client, and only an approver can approve', () => {
  expect(hookOutput('codex', { ...denied, decision: 'allow' })).toEqual({});
  expect(hookOutput('goose', { ...denied, decision: 'allow' })).toEqual({ decision: 'allow' });
  expect(hookOutput('cursor', { ...denied, decision: 'ask' })).toMatchObject({
    permission: 'deny',
    agent_message: expect.stringContaining('Approval was requested: try again') as string,
  });
});
