import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type LocalServer,
  observerOf,
  type Reply,
  startLocalServer,
} from '#test/sdk/local-server.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.goAway());

test.each([
  ['allow', true, false],
  ['warn', true, false],
  ['block', false, true],
  ['throttle', false, true],
  ['skip', false, true],
  ['redact', false, false],
  ['retry', false, false],
])('%s: allowed %s, blocked %s', async (action, allowed, blocked) => {
  server.behave = () => ({ body: { action, reason: 'r', metadata: { current: 5 } } });
  const { observer } = observerOf(server);
  const result = await observer.checkPolicy({ agentName: 'mcp:files:read' });
  expect(result).toEqual({ action, reason: 'r', metadata: { current: 5 }, allowed, blocked });
  expect(server.seen[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/observe/policy-check/',
    body: { agent_name: 'mcp:files:read' },
  });
  await observer.shutdown();
});

test.each<[string, Reply]>([
  ['a server that knows no policies', { status: 404, body: { error: 'there is no POST' } }],
  ['a refused key', { status: 401, body: { error: 'no such key' } }],
  ['a failure', { status: 500, text: '' }],
  ['an unknown action', { body: { action: 'explode' } }],
  ['garbage', { text: '<html>' }],
  ['silence', 'silent'],
])('%s: the check passes, and that it was none is told', async (_name, reply) => {
  server.behave = () => reply;
  const { observer, told } = observerOf(server, { timeoutMs: reply === 'silent' ? 50 : 15_000 });
  const result = await observer.checkPolicy({ agentName: 'a' });
  expect(result).toMatchObject({ action: 'allow', allowed: true, blocked: false });
  expect(result.reason).toMatch(/^not checked: /);
  expect(told.map(({ code }) => code)).toEqual(['policy_unchecked']);
  await observer.shutdown();
});

test('what the agent is about to do goes with the question', async () => {
  server.behave = () => ({ body: { action: 'allow', reason: '', metadata: {} } });
  const { observer } = observerOf(server);
  await observer.checkPolicy({
    agentName: 'a',
    endUserId: 'c',
    inputs: { text: 'hello' },
    tools: ['search'],
    mcpServers: ['files'],
    actionType: 'payment',
    riskLevel: 'high',
    estimatedCost: 0.5,
  });
  expect(server.seen[0]?.body).toEqual({
    agent_name: 'a',
    end_user_id: 'c',
    inputs: { text: 'hello' },
    tools: ['search'],
    mcp_servers: ['files'],
    action_type: 'payment',
    risk_level: 'high',
    estimated_cost: 0.5,
  });
  await observer.shutdown();
});

test('a spent quota throttles', async () => {
  server.behave = () => ({ status: 429, body: { error: 'max_agent_runs_per_day: 10/10' } });
  const { observer } = observerOf(server);
  expect(await observer.checkPolicy({ agentName: 'a' })).toMatchObject({
    action: 'throttle',
    reason: 'max_agent_runs_per_day: 10/10',
    blocked: true,
  });
  await observer.shutdown();
});

test('an agent does not wait for an absent server each time', async () => {
  server.behave = () => 'drop';
  const { observer } = observerOf(server);
  for (let i = 0; i < 5; i += 1) await observer.checkPolicy({ agentName: 'a' });
  expect(server.seen).toHaveLength(1);
  await observer.shutdown();
});
