import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildTrace, type TraceNode } from '#control-plane/console/src/runs/trace-tree.ts';
import { createObserver, type Observer, PolicyViolationError } from '#sdk/src/index.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

let service: TestControlPlane;
beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
});
afterAll(() => service.stop());

const runsOf = async (agent: string) => {
  const { results } = await service.byOwner.runs.listRuns({ query: { agent } });
  return Promise.all(
    results.map(({ id }) => service.byOwner.runs.getRun({ params: { id: String(id) } })),
  );
};

describe('against a real control plane', () => {
  let observer: Observer;
  const problems: Error[] = [];
  beforeAll(() => {
    const onError = (error: Error): unknown => problems.push(error);
    observer = createObserver(
      {
        apiKey: API_KEY,
        baseUrl: service.urls.public,
        captureContent: true,
        timeoutMs: PATIENCE_MS,
        onError,
      },
      {},
    );
  });
  afterAll(() => observer.shutdown());
  afterEach(() => {
    if (problems[0]) throw problems[0];
  });

  test('a run is read back as recorded', async () => {
    const run = observer.startRun({
      agentName: 'support',
      workflowName: 'triage',
      sessionId: 's-1',
      userId: 'u-1',
      userGroup: 'eu',
      traceId: 't-1',
      tags: ['blue'],
      metadata: { plan: 'pro' },
      inputs: { ticket: 7 },
    });
    run.recordCall({ model: 'gpt-4o', tokensIn: 1000, tokensOut: 500, promptPreview: 'Hi' });
    run.recordStep('look', { found: 1 });
    run.recordTool({ name: 'search', toolType: 'api', input: { q: 'x' }, durationMs: 12 });
    run.recordDecision({ options: ['a', 'b'], chosen: 'a' });
    run.recordScore({ name: 'quality', value: 0.9, comment: 'fine' });
    run.recordScore({ name: 'solved', value: true });
    run.recordEvent({ event_type: 'escalated', action: 'notified' });
    run.complete({ done: true });
    expect(await run.outcome()).toEqual({
      governanceAction: 'allow',
      shouldRetry: false,
      retryFeedback: null,
      maxRetries: 0,
    });
    await observer.flush();
    const [stored] = await runsOf('support');
    expect(stored).toMatchObject({
      id: Number(run.id),
      workflow_name: 'triage',
      session_id: 's-1',
      user_id: 'u-1',
      user_group: 'eu',
      trace_id: 't-1',
      tags: ['blue'],
      metadata: { plan: 'pro' },
      inputs: { ticket: 7 },
      result: { done: true },
      status: 'success',
      tokens: 1500,
      llm_call_count: 1,
    });
    expect(stored?.cost).toBeCloseTo(0.0075, 10);
    const { results } = await service.byOwner.events.listEvents({ query: { agent: 'support' } });
    expect(results).toMatchObject([{ event_type: 'escalated', run_id: Number(run.id) }]);
  });

  test('a failed turn within a conversation is recorded with its parent', async () => {
    const inner = observer.observe(
      async () => {
        throw new Error('no stock');
      },
      { agentName: 'inner' },
    );
    const outer = observer.observe(async () => inner().catch(() => 'sorry'), {
      agentName: 'outer',
      sessionId: 's-2',
    });
    expect(await outer()).toBe('sorry');
    await observer.flush();
    const [[child], [parent]] = await Promise.all([runsOf('inner'), runsOf('outer')]);
    expect(child).toMatchObject({
      parent_run_id: parent?.id,
      status: 'error',
      error: 'Error: no stock',
    });
    expect(parent).toMatchObject({ status: 'success', result: { value: 'sorry' } });
  });

  test('nested spans and runs are read back as the same tree', async () => {
    const { span } = observer;
    const helper = observer.observe(
      async () => observer.recordCall({ model: 'mini', tokensIn: 1, tokensOut: 1, durationMs: 1 }),
      { agentName: 'helper' },
    );
    const outer = observer.observe(
      () =>
        span('plan', async () => {
          observer.recordCall({ model: 'large', tokensIn: 1, tokensOut: 1, durationMs: 1 });
          await span('delegate', () => helper(), { kind: 'tool' });
          observer.recordStep('planned');
        }),
      { agentName: 'nested' },
    );
    await outer();
    await observer.flush();
    const [run] = await runsOf('nested');
    const trace = await service.byOwner.runs.getRunTrace({
      params: { id: String(run?.id) },
      query: {},
    });
    const { roots, orphans, untimed } = buildTrace(trace.items);
    const shapeOf = ({ item, children }: TraceNode): unknown[] => [
      item.name,
      ...children
        .toSorted((a, b) => (a.item.name < b.item.name ? -1 : 1))
        .map((child) => shapeOf(child)),
    ];
    expect(roots.map(shapeOf)).toEqual([
      ['nested', ['plan', ['delegate', ['helper', ['mini']]], ['large'], ['planned']]],
    ]);
    expect([orphans, untimed]).toEqual([0, 0]);
  });

  test('a policy on content checks what a user sends, in any form', async () => {
    const pii_detection = { enabled: true, action: 'block', types: ['email'] };
    const rules = { pii_detection };
    const scope = { agents: ['guarded'], workflows: [], user_groups: [] };
    const body = { name: 'No addresses', category: 'content', rules, scope };
    await service.byOwner.policies.createPolicy({ body });
    const fn = observer.observe((_asked: unknown) => 'answered', {
      agentName: 'guarded',
      enforcePolicy: true,
    });
    const email = 'ada@example.com';
    let deep: unknown = email;
    for (let i = 0; i < 200; i += 1) deep = [deep];
    const values = [...Array.from({ length: 200_000 }, () => 0), email];
    const circle: unknown[] = [`mail ${email}`, 1n];
    circle.push(circle);
    const text = `${'x '.repeat(5_500_000)}${email}`;
    for (const sent of [`hel\0lo ${email}`, `\ud83d ${email}`, deep, values, circle, text])
      // The SDK lets a call pass if its check takes longer than three seconds.
      await vi.waitFor(() => expect(fn(sent)).rejects.toBeInstanceOf(PolicyViolationError));
    problems.splice(0);
    expect(await fn('nothing\0 bad')).toBe('answered');
  });

  test('a run of thirty thousand spans arrives completely', async () => {
    const run = observer.startRun({ agentName: 'busy' });
    for (let i = 0; i < 30_000; i += 1) run.recordTool({ name: `t${i}` });
    run.complete();
    expect(await observer.flush()).toBe(true);
    expect(observer.stats()).toMatchObject({ queued: 0, dropped: 0 });
    const params = { id: run.id };
    expect((await service.byOwner.runs.getRun({ params })).counts).toMatchObject({ spans: 30_000 });
    const query = { limit: 2, offset: 29_998 };
    const { results } = await service.byOwner.runs.listRunSpans({ params, query });
    expect(results.map(({ name, position }) => [name, position])).toEqual([
      ['t29998', 29_998],
      ['t29999', 29_999],
    ]);
  });
});

/**
 * Starts a proxy between agent and control plane that forwards every request but drops every other
 * response.
 */
async function startLossyProxy(target: string) {
  let lost = 0;
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const headers = request.headers as Record<string, string>;
      fetch(`${target}${request.url}`, { method: request.method ?? 'POST', headers, body }).then(
        async (answer) => {
          const text = await answer.text();
          if ((lost += 1) % 2 === 1) response.destroy();
          else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
        },
        () => response.destroy(),
      );
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => proxy.close(), requests: () => lost };
}

test('a request that is repeated because its response was lost is stored once', async () => {
  const proxy = await startLossyProxy(service.urls.public);
  const observer = createObserver(
    { apiKey: API_KEY, baseUrl: proxy.url, timeoutMs: PATIENCE_MS, onError: () => undefined },
    {},
  );
  const run = observer.startRun({ agentName: 'lossy' });
  for (let i = 0; i < 20; i += 1) run.recordCall({ model: 'm', tokensIn: i, tokensOut: 0 });
  run.recordStep('one');
  run.recordEvent({ event_type: 'lossy' });
  run.complete({});
  expect(await observer.shutdown()).toBe(true);
  proxy.close();
  const [stored, ...others] = await runsOf('lossy');
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ status: 'success', tokens: 190 });
  expect(stored?.counts).toMatchObject({ llm_calls: 20, steps: 1 });
  const events = await service.byOwner.events.listEvents({ query: { event_type: 'lossy' } });
  expect(events.count).toBe(1);
  expect(proxy.requests()).toBeGreaterThan(4);
});
