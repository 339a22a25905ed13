import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  type Reply,
  type ReceivedRequest,
  startLocalServer,
} from '#test/sdk/local-server.ts';
import { PATIENCE_MS } from '#test/support/time-limits.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.goAway());

const call = { model: 'gpt-4o', tokensIn: 1, tokensOut: 2 };
const endpoints = (requests: readonly ReceivedRequest[]): string[] => requests.map(endpointOf);
/**
 * Makes the server send these replies to the first requests of an endpoint, and then standard
 * replies.
 */
const answering = (endpoint: string, ...replies: Reply[]) => {
  server.behave = (request) => (endpointOf(request) === endpoint ? replies.shift() : undefined);
};

describe('a failing server', () => {
  test.each<[string, Reply]>([
    ['500', { status: 500, body: { error: 'internal error' } }],
    ['503', { status: 503, text: 'no server behind this' }],
    ['429', { status: 429, body: { error: 'slow down' }, headers: { 'retry-after': '0' } }],
    ['408', { status: 408, text: '' }],
    ['an answer that is not JSON', { text: '<html>' }],
    ['an answer that never ends', 'silent'],
    ['a connection that breaks', 'drop'],
  ])('%s: the same batch is sent again', async (_name, reply) => {
    answering('llm-calls', reply, reply);
    const { observer, problems } = observerOf(server, {
      timeoutMs: reply === 'silent' ? 3000 : PATIENCE_MS,
    });
    const run = observer.startRun();
    run.recordCall(call);
    run.complete();
    expect(await observer.flush({ timeoutMs: PATIENCE_MS })).toBe(true);
    expect(endpoints(server.requests)).toEqual([
      'start',
      'llm-calls',
      'llm-calls',
      'llm-calls',
      'complete',
    ]);
    const [first, ...others] = server.requests.filter(
      (request) => endpointOf(request) === 'llm-calls',
    );
    expect(others.map(({ body }) => body)).toEqual([first?.body, first?.body]);
    expect(problems.map(({ code }) => code).filter((code) => code !== 'unreachable')).toEqual([]);
    await observer.shutdown();
  });

  test.each([429, 503])(
    'a Retry-After of %d that exceeds the backoff is respected',
    async (status) => {
      const times: number[] = [];
      server.behave = (request) => {
        if (endpointOf(request) !== 'llm-calls') return undefined;
        times.push(performance.now());
        const headers = { 'retry-after': '1' };
        return times.length === 1 ? { status, body: { error: 'later' }, headers } : undefined;
      };
      const { observer } = observerOf(server, { retryDelayMs: 5 });
      const run = observer.startRun();
      await run.ready();
      run.recordCall(call);
      await vi.waitFor(() => expect(server.accepted).toHaveLength(2));
      const [first = 0, second = 0] = times;
      // Timers may fire a millisecond early.
      expect(second - first).toBeGreaterThanOrEqual(990);
      await observer.shutdown();
    },
  );

  test.each([400, 401, 403, 413, 422])('%d is not retried', async (status) => {
    answering('steps', { status, body: { error: 'steps[0].step_name: too long' } });
    const { observer, problems } = observerOf(server);
    const run = observer.startRun();
    run.recordStep('s');
    run.complete();
    await observer.shutdown();
    expect(endpoints(server.requests)).toEqual(['start', 'steps', 'complete']);
    expect(problems).toMatchObject([
      { code: 'refused', message: expect.stringContaining('too long') },
    ]);
    expect(observer.stats()).toEqual({ queued: 0, delivered: 2, dropped: 1 });
  });

  test('permanent errors drop the batch, not the run', async () => {
    server.behave = (request) =>
      endpointOf(request) === 'spans' ? { status: 500, text: '' } : undefined;
    const { observer, problems } = observerOf(server, { retryDelayMs: 1 });
    const run = observer.startRun();
    run.recordTool({ name: 't' });
    run.complete();
    await observer.flush();
    expect(server.requests.filter((request) => endpointOf(request) === 'spans')).toHaveLength(10);
    expect([endpoints(server.accepted), problems.length]).toEqual([['start', 'complete'], 1]);
    await observer.shutdown();
  });

  test('an invalid item does not affect the others', async () => {
    server.behave = ({ body }) =>
      JSON.stringify(body.calls ?? '').includes('bad')
        ? { status: 400, body: { error: 'calls[71].model: no' } }
        : undefined;
    const { observer, problems } = observerOf(server);
    const run = observer.startRun();
    for (let i = 0; i < 200; i += 1) run.recordCall({ ...call, model: i === 71 ? 'bad' : `m${i}` });
    await observer.shutdown();
    const models = server.accepted.flatMap(
      ({ body }) =>
        (body.calls as { model: string }[] | undefined)?.map(({ model }) => model) ?? [],
    );
    const good = Array.from({ length: 200 }, (_, i) => `m${i}`).filter((model) => model !== 'm71');
    expect([models, problems.length]).toEqual([good, 1]);
    expect(observer.stats()).toMatchObject({ dropped: 1 });
  });

  test('if all items are invalid, splitting is limited', async () => {
    server.behave = (request) =>
      endpointOf(request) === 'llm-calls' ? { status: 400, body: { error: 'no' } } : undefined;
    const { observer } = observerOf(server);
    observer.startRun().recordCalls(Array.from({ length: 1000 }, () => call));
    await observer.shutdown();
    expect(server.requests.length).toBeLessThan(60);
    expect(observer.stats()).toEqual({ queued: 0, delivered: 1, dropped: 1000 });
  });

  test('nothing more is sent for a rejected run', async () => {
    answering('start', {
      status: 403,
      body: { error: 'this API key lacks "record"' },
      headers: { 'x-error-reason': 'missing_permission' },
    });
    const { observer, problems } = observerOf(server);
    const run = observer.startRun();
    run.recordCall(call);
    expect([await run.ready(), await run.outcome()]).toEqual(['', undefined]);
    run.recordCall(call);
    run.complete();
    await observer.shutdown();
    expect(endpoints(server.requests)).toEqual(['start']);
    expect(problems).toMatchObject([
      {
        code: 'refused',
        message: expect.stringContaining('lacks'),
        reason: 'missing_permission',
      },
    ]);
  });

  test('nothing more is sent for a run that the server does not know', async () => {
    answering('llm-calls', { status: 404, body: { error: 'there is no run 1' } });
    const { observer, problems } = observerOf(server);
    const run = observer.startRun();
    run.recordCall(call);
    run.recordStep('s');
    run.complete();
    await observer.shutdown();
    expect([endpoints(server.requests), problems.length]).toEqual([['start', 'llm-calls'], 1]);
  });

  test('a completion whose response was lost counts as delivered', async () => {
    answering('complete', 'drop', { status: 409, body: { error: 'run 1 is already completed' } });
    const { observer, problems } = observerOf(server);
    observer.startRun().complete();
    expect(await observer.shutdown()).toBe(true);
    expect(endpoints(server.requests)).toEqual(['start', 'complete', 'complete']);
    // The broken connection was a reused one, which is not reported as an unreachable server.
    expect(problems).toEqual([]);
    expect(observer.stats()).toEqual({ queued: 0, delivered: 2, dropped: 0 });
  });

  test('redirects are not followed, so that the key is not sent elsewhere', async () => {
    const other = await startLocalServer();
    server.behave = () => ({ status: 307, text: '', headers: { location: `${other.url}/x` } });
    const { observer, problems } = observerOf(server);
    observer.startRun();
    await observer.shutdown();
    expect([other.requests, problems[0]?.message]).toEqual([
      [],
      expect.stringContaining(other.url),
    ]);
    await other.goAway();
  });
});

describe('an unavailable server', () => {
  test('does not block the agent, and receives everything once available', async () => {
    await server.goAway();
    const { observer, problems } = observerOf(server);
    const runs = Array.from({ length: 3 }, (_, i) => {
      const run = observer.startRun({ agentName: `a${i}` });
      run.recordCall(call);
      run.complete();
      return run;
    });
    await expect.poll(() => problems.map(({ code }) => code)).toEqual(['unreachable']);
    expect(await observer.flush({ timeoutMs: 100 })).toBe(false);
    expect([runs.map(({ id }) => id), observer.stats().queued]).toEqual([['', '', ''], 9]);
    await server.comeBack();
    expect(await observer.flush()).toBe(true);
    expect(runs.map(({ id }) => id).toSorted()).toEqual(['1', '2', '3']);
    expect(observer.stats()).toEqual({ queued: 0, delivered: 9, dropped: 0 });
    await observer.shutdown();
  });

  test('the queue is bounded: accepted runs stay complete, dropped records are counted', async () => {
    await server.goAway();
    const { observer, problems } = observerOf(server, { maxQueue: 10 });
    const run = observer.startRun({ agentName: 'first' });
    for (let i = 0; i < 30; i += 1) run.recordStep(`s${i}`);
    run.complete();
    const late = observer.startRun({ agentName: 'late' });
    late.recordStep('s');
    late.complete();
    expect(observer.stats()).toEqual({ queued: 11, delivered: 0, dropped: 22 });
    expect(await late.ready()).toBe('');
    expect(problems.filter(({ code }) => code === 'dropped')).toHaveLength(1);
    await server.comeBack();
    await observer.shutdown();
    expect(endpoints(server.accepted)).toEqual(['start', 'steps', 'complete']);
    expect(server.accepted[1]?.body.steps).toHaveLength(9);
  });

  test('a shutdown times out, and reports the lost records', async () => {
    server.behave = () => 'silent';
    const { observer, problems } = observerOf(server);
    const run = observer.startRun();
    run.recordStep('s');
    expect(await observer.shutdown({ timeoutMs: 50 })).toBe(false);
    expect(problems).toMatchObject([
      { code: 'dropped', message: expect.stringContaining('2 records') },
    ]);
    run.recordStep('too late');
    run.complete();
    expect([await run.ready(), observer.stats()]).toEqual([
      '',
      { queued: 0, delivered: 0, dropped: 3 },
    ]);
  });
});
