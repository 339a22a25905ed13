import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evaluationRoutes } from '#contract/evaluations.ts';
import { findUnstorable } from '#control-plane/http/storable.ts';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  type Reply,
  type ReceivedRequest,
  startLocalServer,
} from '#test/sdk/local-server.ts';
import { PATIENCE_MS } from '#test/support/time-limits.ts';
import { PolicyViolationError } from './policy-result.ts';

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
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/observe/policy-check/',
    body: { agent_name: 'mcp:files:read' },
  });
  await observer.shutdown();
});

test.each<[string, Reply]>([
  ['a server without policies', { status: 404, body: { error: 'there is no POST' } }],
  ['a refused key', { status: 401, body: { error: 'no such key' } }],
  ['a failure', { status: 500, text: '' }],
  ['an unknown action', { body: { action: 'explode' } }],
  ['garbage', { text: '<html>' }],
  ['silence', 'silent'],
])('%s: the check passes, and the problem is reported', async (_name, reply) => {
  server.behave = () => reply;
  const { observer, problems } = observerOf(server, {
    timeoutMs: reply === 'silent' ? 50 : PATIENCE_MS,
  });
  const result = await observer.checkPolicy({ agentName: 'a' });
  expect(result).toMatchObject({ action: 'allow', allowed: true, blocked: false });
  expect(result.reason).toMatch(/^not checked: /);
  expect(problems.map(({ code }) => code)).toEqual(['policy_unchecked']);
  await observer.shutdown();
});

test('a check describes the agent’s next action', async () => {
  server.behave = () => ({ body: { action: 'allow', reason: '', metadata: {} } });
  const { observer } = observerOf(server);
  await observer.checkPolicy({
    agentName: 'a',
    endUserId: 'c',
    inputs: { text: 'hello' },
    tools: ['search'],
    toolCalls: [{ name: 'pay', arguments: { amount: 5 } }, { name: 'look' }, { name: '' }],
    mcpServers: ['files'],
    actionType: 'payment',
    riskLevel: 'high',
    estimatedCost: 0.5,
  });
  expect(server.requests[0]?.body).toEqual({
    agent_name: 'a',
    end_user_id: 'c',
    inputs: { text: 'hello' },
    tools: ['search'],
    tool_calls: [{ name: 'pay', arguments: { amount: 5 } }, { name: 'look' }],
    mcp_servers: ['files'],
    action_type: 'payment',
    risk_level: 'high',
    estimated_cost: 0.5,
  });
  await observer.shutdown();
});

test('an exhausted quota throttles', async () => {
  server.behave = () => ({ status: 429, body: { error: 'max_agent_runs_per_day: 10/10' } });
  const { observer } = observerOf(server);
  expect(await observer.checkPolicy({ agentName: 'a' })).toMatchObject({
    action: 'throttle',
    reason: 'max_agent_runs_per_day: 10/10',
    blocked: true,
  });
  await observer.shutdown();
});

test('an agent does not wait for an unavailable server on each check', async () => {
  server.behave = () => 'drop';
  const { observer } = observerOf(server);
  for (let i = 0; i < 5; i += 1) await observer.checkPolicy({ agentName: 'a' });
  expect(server.requests).toHaveLength(1);
  await observer.shutdown();
});

describe('user input does not disable a policy', () => {
  /** Blocks every request that matches the contract, and rejects all others. */
  const strict = ({ body }: ReceivedRequest): Reply => {
    const { success, error } = evaluationRoutes.checkPolicy.body.safeParse(body);
    const problem = error?.message ?? findUnstorable(body, 'body');
    if (!success || problem) return { status: 400, body: { error: problem } };
    if (JSON.stringify(body).length > 10_000_000) return { status: 413, text: '' };
    return { body: { action: 'block', reason: 'no', metadata: {} } };
  };
  const circle: Record<string, unknown> = { text: 'seen' };
  circle.self = circle;
  let deep: unknown = 'bottom';
  for (let i = 0; i < 200; i += 1) deep = [deep];
  const unreadable = {
    toJSON() {
      throw new Error('boom');
    },
  };
  const sent: [string, unknown, unknown][] = [
    ['NUL', 'hel\0lo', 'hello'],
    ['half a surrogate pair', 'hello\ud83d', 'hello\ufffd'],
    ['a bigint', 1n, '1'],
    ['a circle', circle, { text: 'seen', self: '[circular]' }],
    ['what throws when it is looked at', unreadable, '[unreadable]'],
  ];

  test.each(sent)('%s', async (_name, value, expected) => {
    server.behave = strict;
    const { observer } = observerOf(server);
    const result = await observer.checkPolicy({ agentName: 'a', inputs: { value } });
    expect([result.action, server.requests[0]?.body.inputs]).toEqual([
      'block',
      { value: expected },
    ]);
    await observer.shutdown();
  });

  test.each<[string, unknown]>([
    ['text without end', '"\0\u0001ü'.repeat(3_000_000)],
    ['values without end', Array.from({ length: 200_000 }, () => 'x')],
  ])('%s: a prefix is sent that is longer than policies evaluate', async (_name, value) => {
    server.behave = strict;
    const { observer } = observerOf(server);
    const { action } = await observer.checkPolicy({ agentName: 'a', inputs: { value } });
    const { inputs } = server.requests[0]?.body ?? {};
    expect([action, String(inputs).slice(0, 9)]).toEqual(['block', '{"value":']);
    expect(String(inputs).length).toBeGreaterThan(200_000);
    await observer.shutdown();
  });

  test('deeply nested inputs are sent completely, as text', async () => {
    server.behave = strict;
    const { observer } = observerOf(server);
    const { action } = await observer.checkPolicy({ agentName: 'a', inputs: deep });
    expect([action, server.requests[0]?.body.inputs]).toEqual(['block', JSON.stringify(deep)]);
    await observer.shutdown();
  });

  test('names and ids are the same in checks and runs', async () => {
    server.behave = (request) =>
      endpointOf(request) === 'policy-check' ? strict(request) : undefined;
    const { observer } = observerOf(server);
    const long = 'u\0'.repeat(500);
    const subject = { agentName: long, workflowName: long, userId: long, sessionId: long };
    expect(await observer.checkPolicy(subject)).toMatchObject({ action: 'block' });
    observer.startRun(subject);
    await observer.shutdown();
    const {
      started_at: _at,
      batch_id: _id,
      trace_id: _trace,
      ...recorded
    } = server.requests[1]?.body ?? {};
    expect(server.requests[0]?.body).toEqual(recorded);
    expect(recorded.user_id).toBe('u'.repeat(100));
  });

  test.each<[string, unknown]>([
    ...sent.map(([name, value]): [string, unknown] => [name, value]),
    ['depth', deep],
  ])('%s as an argument: the function is not called', async (_name, value) => {
    server.behave = strict;
    const { observer, problems } = observerOf(server, { captureContent: true });
    const fn = observer.observe((_arg: unknown) => 'called', {
      agentName: 'a',
      enforcePolicy: true,
    });
    await expect(fn(value)).rejects.toBeInstanceOf(PolicyViolationError);
    expect(problems).toEqual([]);
    await observer.shutdown();
  });

  test('a check passes if reading its subject throws', async () => {
    const { observer, problems } = observerOf(server);
    const result = await observer.checkPolicy(undefined as never);
    expect(result).toMatchObject({
      action: 'allow',
      reason: expect.stringMatching(/^not checked/),
    });
    expect(problems.map(({ code }) => code)).toEqual(['policy_unchecked']);
    await observer.shutdown();
  });
});

test.each([429, 500])(
  'after a %d, the next check is sent, because the server is available',
  async (status) => {
    let requests = 0;
    server.behave = () => {
      requests += 1;
      if (requests === 1) return { status, body: { error: 'not now' } };
      return { body: { action: 'block', reason: 'no', metadata: {} } };
    };
    const { observer } = observerOf(server);
    await observer.checkPolicy({ agentName: 'a' });
    expect(await observer.checkPolicy({ agentName: 'a' })).toMatchObject({ action: 'block' });
    expect(requests).toBe(2);
    await observer.shutdown();
  },
);
