import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';

let server: LocalServer;
let test_: TestObserver;
beforeEach(async () => {
  server = await startLocalServer();
  test_ = observerOf(server, {});
});
afterEach(async () => {
  await test_.observer.shutdown();
  await server.goAway();
});

type Record_ = Record<string, unknown>;

/** Sends all records, and returns a function that finds an arrived record by its name. */
async function arrived() {
  await test_.observer.flush();
  const named = new Map<string, Record_>();
  for (const request of server.accepted) {
    const { body } = request;
    if (endpointOf(request) === 'start') named.set(String(body.agent_name), body);
    for (const kind of ['calls', 'spans', 'steps'] as const)
      for (const item of (body[kind] ?? []) as Record_[])
        named.set(String(item.model ?? item.step_name ?? item.name), item);
  }
  return (name: string): Record_ => named.get(name) ?? {};
}

test('records inside a span are its children, also after an await', async () => {
  const { startRun, span, recordCall, recordStep, recordTool } = test_.observer;
  const run = startRun({ agentName: 'a' });
  const before = Date.now();
  const result = await run.within(() =>
    span('plan', async (plan) => {
      recordCall({ model: 'first', tokensIn: 1, tokensOut: 1, durationMs: 50 });
      await Promise.all(
        ['left', 'right'].map((name) =>
          span(
            name,
            async () => {
              await Promise.resolve();
              recordTool({ name: `${name} tool`, startedAt: before - 1000 });
              startRun({ agentName: `${name} child` }).complete();
            },
            { kind: 'decision', input: { name } },
          ),
        ),
      );
      recordStep('planned');
      return plan.id;
    }),
  );
  run.recordStep('outside');
  const of = await arrived();
  const plan = of('plan');
  expect(plan).toMatchObject({ kind: 'reasoning', status: 'ok', span_id: result });
  expect(plan.span_id).toMatch(/^[0-9a-f]{16}$/);
  expect(plan).not.toHaveProperty('parent_span_id');
  expect(Date.parse(String(plan.started_at))).toBeGreaterThanOrEqual(before);
  for (const name of ['first', 'left', 'right', 'planned'])
    expect(of(name).parent_span_id).toBe(result);
  expect(of('left')).toMatchObject({ kind: 'decision', input_data: { name: 'left' } });
  for (const name of ['left', 'right']) {
    const tool = of(`${name} tool`);
    expect(tool.parent_span_id).toBe(of(name).span_id);
    expect(tool.started_at).toBe(new Date(before - 1000).toISOString());
    expect(of(`${name} child`)).toMatchObject({
      parent_span_id: of(name).span_id,
      trace_id: run.traceId,
    });
  }
  expect(of('outside')).not.toHaveProperty('parent_span_id');
  // A call is recorded at its end.
  const first = of('first');
  const took = Date.parse(String(first.created_at)) - Date.parse(String(first.started_at));
  // Timers and dates use clocks that differ by milliseconds.
  expect(took).toBeGreaterThanOrEqual(25);
  // Spans are recorded at their ends, inner ones first.
  expect(Number(plan.position)).toBeLessThan(Number(of('left').position));
});

test('a span returns or throws the result of its work, and records its outcome', async () => {
  const { startRun } = test_.observer;
  const run = startRun({ agentName: 'a' });
  const error = new RangeError('too far');
  const fails = () =>
    run.span('now', () => {
      throw error;
    });
  expect(fails).toThrow(error);
  await expect(run.span('later', () => Promise.reject(error))).rejects.toBe(error);
  const value = run.span(
    'set',
    (span) => {
      span.set({ attributes: { more: 1 } });
      span.set({ output: [1], status: 'error' });
      return 7;
    },
    { attributes: { own: 1 } },
  );
  expect(value).toBe(7);
  const of = await arrived();
  const failed = { status: 'error', attributes: { error: 'RangeError: too far' } };
  expect([of('now'), of('later')]).toMatchObject([failed, failed]);
  expect(of('set')).toMatchObject({
    status: 'error',
    attributes: { own: 1, more: 1 },
    output_data: { value: [1] },
  });
});

test('a span outside any run starts a run, which ends with it', async () => {
  const { span, recordStep, currentRun } = test_.observer;
  await span('alone', async () => {
    await Promise.resolve();
    recordStep('inside');
    expect(currentRun()).toBeDefined();
  });
  expect(currentRun()).toBeUndefined();
  const of = await arrived();
  expect(of('inside').parent_span_id).toBe(of('alone').span_id);
  const endpoints = server.accepted.map(endpointOf);
  expect(endpoints.filter((endpoint) => endpoint === 'start')).toHaveLength(1);
  expect(endpoints.at(-1)).toBe('complete');
});

test('traceparent is read and sent', async () => {
  const { startRun } = test_.observer;
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const run = startRun({ agentName: 'in', traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  expect(run.traceId).toBe(traceId);
  expect(run.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  const [id, inside, current] = run.span('s', (span) => [
    span.id,
    span.traceparent,
    run.traceparent,
  ]);
  expect([inside, current]).toEqual(Array(2).fill(`00-${traceId}-${id}-01`));
  const odd = startRun({ agentName: 'odd', traceparent: 'nonsense' });
  expect(odd.traceId).toMatch(/^[0-9a-f]{32}$/);
  const own = startRun({ agentName: 'own', traceId: 'ticket-7' });
  expect([own.traceId, own.traceparent]).toEqual(['ticket-7', '']);
  const of = await arrived();
  expect(of('in')).toMatchObject({ trace_id: traceId, parent_span_id: 'b7ad6b7169203331' });
  expect(of('odd')).toMatchObject({ trace_id: odd.traceId });
});

test('without an API key, the work is called', () => {
  const { span } = observerOf(server, { enabled: false }).observer;
  expect(span('s', ({ id }) => id.length)).toBe(16);
});
