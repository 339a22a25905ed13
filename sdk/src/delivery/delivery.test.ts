import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  type Reply,
  type ReceivedRequest,
  startLocalServer,
} from '#test/sdk/local-server.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.goAway());

const call = { model: 'gpt-4o', tokensIn: 1, tokensOut: 2 };
const endpoints = (requests: readonly ReceivedRequest[]): string[] => requests.map(endpointOf);

test('a run is sent in order: start, records, completion', async () => {
  const { observer, problems } = observerOf(server);
  const run = observer.startRun({ agentName: 'a', sessionId: 's', tags: ['t'] });
  expect(run.id).toBe('');
  run.recordScore({ name: 'good', value: true });
  run.recordStep('look', 'text');
  run.recordCall(call);
  run.recordEvent({ event_type: 'seen' });
  run.complete({ answer: 42 });
  expect(await observer.shutdown()).toBe(true);
  expect([run.id, await run.ready(), problems]).toEqual(['1', '1', []]);
  expect(server.requests.map(({ path, body }) => [path, body])).toMatchObject([
    ['/api/v1/observe/runs/start/', { agent_name: 'a', session_id: 's', tags: ['t'] }],
    ['/api/v1/observe/runs/1/llm-calls/', { calls: [{ model: 'gpt-4o', tokens_out: 2 }] }],
    [
      '/api/v1/observe/runs/1/steps/',
      { steps: [{ step_name: 'look', output: { value: 'text' } }] },
    ],
    ['/api/v1/observe/runs/1/scores/', { scores: [{ data_type: 'boolean', string_value: true }] }],
    ['/api/v1/observe/events/', { events: [{ event_type: 'seen', agent_name: 'a', run_id: '1' }] }],
    ['/api/v1/observe/runs/1/complete/', { status: 'success', result: { answer: 42 } }],
  ]);
  expect(server.requests[0]?.headers['x-svc-key']).toBe('svc_sk_test');
  expect(observer.stats()).toEqual({ queued: 0, delivered: 6, dropped: 0 });
});

test('requests contain at most 1,000 items and stay below the size limit', async () => {
  const { observer } = observerOf(server, { captureContent: true });
  const run = observer.startRun();
  run.recordCalls(Array.from({ length: 2500 }, () => call));
  const long = 'ü'.repeat(900_000);
  for (let i = 0; i < 6; i += 1) run.recordCall({ ...call, promptPreview: long });
  await observer.shutdown();
  const sizes = server.accepted
    .slice(1)
    .map(({ body }) => [
      (body.calls as unknown[]).length,
      JSON.stringify(body).length < 10_000_000,
    ]);
  expect(sizes).toEqual([
    [1000, true],
    [1000, true],
    [504, true],
    [2, true],
  ]);
});

test('values that are not JSON are converted; oversized records are dropped individually', async () => {
  const { observer, problems } = observerOf(server);
  const run = observer.startRun({ agentName: 'a', inputs: { text: 'z'.repeat(9_000_000) } });
  const circle: Record<string, unknown> = { n: 1n, bad: Number.NaN, text: 'a\0b\ud800' };
  circle.self = circle;
  run.recordStep('circle', circle);
  run.recordStep('large', 'x'.repeat(9_000_000));
  run.recordStep('throws', {
    get boom() {
      throw new Error('boom');
    },
  });
  run.complete('y'.repeat(9_000_000));
  await observer.shutdown();
  expect(server.accepted.map(({ body }) => body)).toMatchObject([
    { agent_name: 'a' },
    {
      steps: [
        {
          step_name: 'circle',
          output: { n: '1', bad: null, text: 'ab\ufffd', self: '[circular]' },
        },
        { step_name: 'throws', output: { value: '[unreadable]' } },
      ],
    },
    { status: 'success' },
  ]);
  expect([server.accepted[0]?.body.inputs, server.accepted[2]?.body.result]).toEqual([
    undefined,
    undefined,
  ]);
  expect(problems.map(({ code }) => code)).toEqual(['dropped', 'dropped', 'dropped']);
});

test('names that a run adds to its records are within the limits of the contract', async () => {
  const { observer } = observerOf(server);
  const run = observer.startRun({ agentName: `caf\0e${'!'.repeat(300)}`, tags: 7 as never });
  run.recordEvent({ event_type: 'seen' });
  run.recordSpan({ kind: 'nokind', input: 1 } as never);
  run.recordSpan({ kind: 'retrieval', name: 'search' } as never);
  await observer.shutdown();
  const name = `cafe${'!'.repeat(195)}`;
  expect(server.accepted.map(({ body }) => body)).toMatchObject([
    { agent_name: name, tags: ['7'] },
    {
      spans: [
        { kind: 'reasoning', name: 'reasoning', input_data: { value: 1 } },
        { kind: 'retriever', name: 'search' },
      ],
    },
    { events: [{ event_type: 'seen', agent_name: name }] },
  ]);
});

test('a run is recorded without values that throw when read', async () => {
  const { observer, problems } = observerOf(server);
  const options = {
    get userId(): string {
      throw new Error('no user here');
    },
  };
  observer.startRun(options).complete();
  observer.observe(() => 7, { agentName: 'a', perCall: () => options })();
  await observer.shutdown();
  const starts = server.accepted.filter((request) => endpointOf(request) === 'start');
  expect(starts.map(({ body }) => String(body.agent_name)).toSorted()).toEqual(['a', 'default']);
  expect(problems.map(({ code }) => code)).toEqual(['invalid', 'invalid']);
});

test('runs are sent concurrently', async () => {
  const waiting: (() => void)[] = [];
  server.behave = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
      if (waiting.length === 16) for (const go of waiting.splice(0)) go();
    });
  const { observer } = observerOf(server);
  for (let i = 0; i < 16; i += 1) observer.startRun().complete();
  expect(await observer.shutdown()).toBe(true);
  expect(server.accepted).toHaveLength(32);
});

test('concurrent failures count as one failure', async () => {
  let failing = 16;
  server.behave = () => (failing-- > 0 ? { status: 503, text: '' } : undefined);
  const { observer } = observerOf(server, { retryDelayMs: 100 });
  const startedAt = Date.now();
  for (let i = 0; i < 16; i += 1) observer.startRun().complete();
  await expect.poll(() => observer.stats().delivered).toBe(32);
  // The backoff after 16 failures would be 15 s or more.
  expect(Date.now() - startedAt).toBeLessThan(15_000);
  await observer.shutdown();
});

test('a child run starts after its parent, and contains its id', async () => {
  let parents = 3;
  server.behave = (request) =>
    request.body.agent_name === 'parent' && parents-- > 0 ? { status: 500, text: '' } : undefined;
  const { observer } = observerOf(server);
  const parent = observer.startRun({ agentName: 'parent' });
  const child = parent.within(() => observer.startRun({ agentName: 'child' }));
  const own = parent.within(() => observer.startRun({ agentName: 'own', parent: null }));
  for (const run of [child, own, parent]) run.complete();
  await observer.shutdown();
  const starts = server.accepted.filter((request) => endpointOf(request) === 'start');
  expect(starts.map(({ body }) => [body.agent_name, body.parent_run_id])).toEqual([
    ['own', undefined],
    ['parent', undefined],
    ['child', parent.id],
  ]);
});

test('records outside any run are part of an automatic run', async () => {
  const { observer } = observerOf(server, { agentName: 'mine' });
  observer.recordCall(call);
  observer.recordTool({ name: 't' });
  observer.recordEvent({ event: 'e' });
  await vi.waitUntil(() => endpoints(server.accepted).includes('complete'));
  await observer.shutdown();
  expect(endpoints(server.accepted).toSorted()).toEqual(
    ['complete', 'events', 'llm-calls', 'spans', 'start'].toSorted(),
  );
  const start = server.accepted.find((request) => endpointOf(request) === 'start');
  expect(start?.body).toMatchObject({ agent_name: 'mine', metadata: { automatic: true } });
});

test('despite failures, each record arrives once and each run in order', async () => {
  const failures = fc.constantFrom<Reply | undefined>(
    undefined,
    undefined,
    { status: 500, text: '' },
    { status: 503, text: '' },
    { status: 429, text: '', headers: { 'retry-after': '0' } },
    { text: 'garbage' },
    'drop',
  );
  const runs = fc.array(fc.array(fc.constantFrom('call', 'step', 'span'), { maxLength: 6 }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(runs, fc.array(failures, { maxLength: 9 }), async (plans, replies) => {
      server.accepted = [];
      server.behave = () => replies.shift();
      const { observer } = observerOf(server, { retryDelayMs: 1 });
      plans.forEach((plan, index) => {
        const run = observer.startRun({ agentName: `a${index}` });
        plan.forEach((kind, at) => {
          const label = `${index}.${at}`;
          if (kind === 'call') run.recordCall({ ...call, model: label });
          else if (kind === 'step') run.recordStep(label);
          else run.recordTool({ name: label });
        });
        run.complete();
      });
      expect(await observer.shutdown()).toBe(true);
      expect(arrivedOf(server.accepted)).toEqual(
        Object.fromEntries(plans.map((plan, index) => [`a${index}`, expectedOf(plan, index)])),
      );
    }),
    { numRuns: 25 },
  );
});

/** The accepted records by agent, with those between start and completion sorted. */
function arrivedOf(accepted: readonly ReceivedRequest[]): Record<string, string[]> {
  const agents = new Map<unknown, string>();
  const arrived: Record<string, string[]> = {};
  for (const request of accepted) {
    const { body, answer, path } = request;
    if (endpointOf(request) === 'start') {
      agents.set(answer.run_id, String(body.agent_name));
      arrived[String(body.agent_name)] = ['start'];
      continue;
    }
    const list = arrived[agents.get(path.split('/').at(-3)) ?? ''];
    if (endpointOf(request) === 'complete') list?.push('complete');
    const { calls = [], steps = [], spans = [] } = body as Record<string, Recorded[]>;
    list?.push(...[...calls, ...steps, ...spans].map(labelOf));
  }
  const sorted = ([first, ...rest]: string[]) => [
    first as string,
    ...rest.slice(0, -1).toSorted(),
    ...rest.slice(-1),
  ];
  return Object.fromEntries(Object.entries(arrived).map(([name, list]) => [name, sorted(list)]));
}

interface Recorded {
  model?: string;
  step_name?: string;
  name?: string;
}
const labelOf = ({ model, step_name, name }: Recorded): string => model ?? step_name ?? name ?? '';

const expectedOf = (plan: readonly string[], index: number): string[] => [
  'start',
  ...plan.map((_kind, at) => `${index}.${at}`).toSorted(),
  'complete',
];
