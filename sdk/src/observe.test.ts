import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  endpointOf,
  type LocalServer,
  observerOf,
  type ReceivedRequest,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { PolicyViolationError } from './policy-result.ts';
import type { Options } from './config.ts';

let server: LocalServer;
let test_: TestObserver;
const use = (options: Options = {}): TestObserver['observer'] => {
  test_ = observerOf(server, options);
  return test_.observer;
};
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(async () => {
  await test_.observer.shutdown();
  await server.goAway();
});

const bodies = (endpoint: string): Record<string, unknown>[] =>
  server.accepted
    .filter((request: ReceivedRequest) => endpointOf(request) === endpoint)
    .map(({ body }) => body);

/** A promise with a method of its own, and a thenable that starts when it is awaited. */
class Answer extends Promise<string> {
  more = (): string => 'more';
}
class Query {
  starts = 0;
  // oxlint-disable-next-line unicorn/no-thenable -- like the queries of Prisma and Knex
  then<T>(onFulfilled: (rows: string[]) => T): Promise<T> {
    this.starts += 1;
    return Promise.resolve(['row']).then(onFulfilled);
  }
}

describe('a thenable of another type', () => {
  test('is returned as it is, and its run ends when it is awaited', async () => {
    const { observe, shutdown } = use({ captureContent: true });
    const answer = observe(() => new Answer((resolve) => resolve('yes')))();
    expect(answer.more()).toBe('more');
    expect(await answer).toBe('yes');
    expect(await answer).toBe('yes');
    const failing = observe(() => new Answer((_, reject) => reject(new Error('no stock'))))();
    await expect(failing).rejects.toThrow('no stock');
    await failing.catch(() => undefined);
    await shutdown();
    expect(bodies('complete')).toMatchObject([
      { status: 'success', result: { value: 'yes' } },
      { status: 'error', error: 'Error: no stock' },
    ]);
  });

  test('is not started by being observed', async () => {
    const { observe, shutdown } = use();
    const query = observe(() => new Query())();
    expect(query.starts).toBe(0);
    expect(await (query as PromiseLike<string[]>)).toEqual(['row']);
    expect(query.starts).toBe(1);
    await shutdown();
    expect(bodies('complete')).toHaveLength(1);
  });

  test('of an official client also ends its run if only the HTTP response is read', async () => {
    const { observe, shutdown } = use();
    const lazy = (responsePromise: Promise<unknown>) =>
      Object.assign(new Query(), { responsePromise });
    expect(observe(() => lazy(Promise.resolve(new Response())))().starts).toBe(0);
    observe(() => lazy(Promise.reject(new Error('no line'))))();
    await new Promise(setImmediate);
    await shutdown();
    expect(bodies('complete')).toMatchObject([
      { status: 'success' },
      { status: 'error', error: 'Error: no line' },
    ]);
  });
});

describe('a wrapped function', () => {
  test('keeps its type, its name, its `this` and its result', async () => {
    const { observe, shutdown } = use();
    const add = observe(function add(this: { base: number }, n: number): number {
      return this.base + n;
    });
    const later = observe(async (text: string) => Promise.resolve(text.length), { agentName: 'l' });
    expectTypeOf(add).toEqualTypeOf<(this: { base: number }, n: number) => number>();
    expectTypeOf(later).toEqualTypeOf<(text: string) => Promise<number>>();
    expect([add.name, add.call({ base: 40 }, 2), await later('abc')]).toEqual(['add', 42, 3]);
    await shutdown();
    expect(
      bodies('start')
        .map((body) => String(body.agent_name))
        .toSorted(),
    ).toEqual(['add', 'l']);
    expect(bodies('complete')).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  });

  test('keeps its number of parameters and its own properties', () => {
    const { observe } = use();
    const tool = Object.assign((_city: string, _unit = 'C') => 20, { schema: { city: 'string' } });
    expect(observe(tool)).toHaveLength(1);
    expect(Object.entries(observe(tool))).toEqual([['schema', { city: 'string' }]]);
    // Not the properties that only functions in sloppy mode have.
    const old = runInThisContext('(function (a, b) { return a + b; })') as typeof Math.max;
    expect(observe(old)(1, 2)).toBe(3);
  });

  test('throws the same error, and its run fails', async () => {
    const { observe, shutdown } = use();
    const error = new RangeError('too far');
    const now = observe(() => {
      throw error;
    });
    const later = observe(() => Promise.reject(error));
    expect(now).toThrow(error);
    await expect(later()).rejects.toBe(error);
    await shutdown();
    const failed = { status: 'error', error: 'RangeError: too far' };
    expect(bodies('complete')).toMatchObject([failed, failed]);
  });

  test('collects its records, with one run per call', async () => {
    const { observe, recordStep, currentRun, shutdown } = use();
    const inner = observe(async function inner(n: number) {
      await Promise.resolve();
      recordStep(`inner ${n}`);
    });
    const outer = observe(async function outer(n: number) {
      recordStep(`outer ${n}`);
      await inner(n);
      recordStep(`outer again ${n}`);
      return currentRun() !== undefined;
    });
    expect(await Promise.all([outer(1), outer(2)])).toEqual([true, true]);
    expect(currentRun()).toBeUndefined();
    await shutdown();
    const starts = server.accepted.filter((request) => endpointOf(request) === 'start');
    const parents = starts.map(({ body, answer }) => [
      body.agent_name,
      body.parent_run_id,
      answer.run_id,
    ]);
    const outers = parents.filter(([name]) => name === 'outer').map(([, , id]) => String(id));
    const inners = parents.filter(([name]) => name === 'inner').map(([, parent]) => String(parent));
    expect(inners.toSorted()).toEqual(outers.toSorted());
    const steps = bodies('steps').map(({ steps: list }) =>
      (list as { step_name: string }[]).map(({ step_name }) => step_name).join(),
    );
    expect(steps.toSorted()).toEqual(
      ['inner 1', 'inner 2', 'outer 1,outer again 1', 'outer 2,outer again 2'].toSorted(),
    );
  });

  test('that is an async generator has a run that lasts until its end', async () => {
    const { observe, recordStep, shutdown } = use({ captureContent: true });
    const count = observe(async function* count(to: number) {
      for (let n = 1; n <= to; n += 1) {
        recordStep(`at ${n}`);
        yield n;
      }
    });
    expectTypeOf(count).returns.toEqualTypeOf<AsyncGenerator<number, void, unknown>>();
    const yielded: number[] = [];
    for await (const n of count(2)) yielded.push(n);
    for await (const n of count(9)) {
      yielded.push(n);
      break;
    }
    await shutdown();
    expect(yielded).toEqual([1, 2, 1]);
    expect(bodies('steps').flatMap(({ steps }) => steps)).toHaveLength(3);
    expect(bodies('complete')).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  });

  test('has options per call, and content is sent only with captureContent', async () => {
    const options = {
      agentName: 'support',
      workflowName: 'chat',
      perCall: (user: string) => ({ userId: user, sessionId: `s-${user}` }),
    };
    const answer = (user: string): string => `hello ${user}`;
    const silent = use();
    silent.observe(answer, options)('ann');
    await silent.shutdown();
    const open = use({ captureContent: true });
    open.observe(answer, options)('bob');
    await open.shutdown();
    const [first, second] = bodies('start');
    expect(first).toMatchObject({
      agent_name: 'support',
      workflow_name: 'chat',
      user_id: 'ann',
      session_id: 's-ann',
    });
    expect(second).toMatchObject({ user_id: 'bob', inputs: { arguments: ['bob'] } });
    expect([first?.inputs, ...bodies('complete').map((body) => body.result)]).toEqual([
      undefined,
      undefined,
      { value: 'hello bob' },
    ]);
  });

  test('is called even if perCall throws', async () => {
    const { observe } = use();
    const fn = observe(() => 7, {
      perCall: () => {
        throw new Error('no session here');
      },
    });
    expect(fn()).toBe(7);
    expect(test_.problems).toMatchObject([
      { code: 'invalid', message: expect.stringContaining('no session') },
    ]);
  });

  test('is called when the SDK is disabled', async () => {
    const observer = use({ enabled: false });
    const fn = observer.observe((n: number) => n * 2, { enforcePolicy: true });
    observer.recordCall({ model: 'm', tokensIn: 1, tokensOut: 1 });
    const run = observer.startRun();
    run.recordStep('s');
    run.complete();
    expect([await fn(4), run.id, await run.ready(), await run.outcome()]).toEqual([
      8,
      '',
      '',
      undefined,
    ]);
    expect([await observer.flush(), await observer.shutdown(), server.requests]).toEqual([
      true,
      true,
      [],
    ]);
    expect(observer.stats()).toEqual({ queued: 0, delivered: 0, dropped: 0 });
  });
});

describe('with policies enforced', () => {
  const answers = (...actions: string[]): void => {
    server.behave = (request) => {
      if (endpointOf(request) !== 'policy-check') return undefined;
      const action = actions.shift() ?? 'allow';
      return { body: { action, reason: `because ${action}`, metadata: { limit: 3 } } };
    };
  };
  const calls: number[] = [];
  const guarded = () =>
    use().observe((n: number) => calls.push(n), {
      agentName: 'a',
      workflowName: 'w',
      agentId: 'i-1',
      enforcePolicy: true,
    });
  beforeEach(() => {
    calls.length = 0;
  });

  test.each(['allow', 'warn', 'redact'])('%s calls the function', async (action) => {
    answers(action);
    const fn = guarded();
    expectTypeOf(fn).toEqualTypeOf<(n: number) => Promise<number | undefined>>();
    expect([await fn(1), calls]).toEqual([1, [1]]);
    expect(server.requests[0]?.body).toEqual({
      agent_name: 'a',
      workflow_name: 'w',
      agent_id: 'i-1',
    });
  });

  test.each(['block', 'throttle'])('%s throws, and there is no run', async (action) => {
    answers(action);
    const error = await guarded()(1).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PolicyViolationError);
    expect(error).toMatchObject({ message: `because ${action}`, action, metadata: { limit: 3 } });
    await test_.observer.flush();
    expect([calls, server.requests.length]).toEqual([[], 1]);
  });

  test('skip does not call the function and does not throw', async () => {
    answers('skip');
    expect([await guarded()(1), calls]).toEqual([undefined, []]);
    await test_.observer.flush();
    expect(server.requests).toHaveLength(1);
  });

  test('retry checks again, a limited number of times', async () => {
    answers('retry', 'retry', 'allow', ...Array.from({ length: 5 }, () => 'retry'));
    const fn = guarded();
    expect(await fn(1)).toBe(1);
    await expect(fn(2)).rejects.toMatchObject({ action: 'retry' });
    expect(calls).toEqual([1]);
  });

  test('without a server every check passes', async () => {
    await server.goAway();
    const fn = guarded();
    expect(await fn(1)).toBe(1);
    expect(test_.problems.map(({ code }) => code)).toContain('policy_unchecked');
    await server.comeBack();
  });
});

describe('when the server requests a retry', () => {
  const wanting = (times: number, maxRetries: number): void => {
    let left = times;
    server.behave = (request) => {
      if (endpointOf(request) !== 'complete') return undefined;
      const should_retry = left-- > 0;
      const feedback = should_retry ? 'be brief' : null;
      const retry = { should_retry, retry_feedback: feedback, max_retries: maxRetries };
      return { body: { status: 'ok', governance_action: 'retry', ...retry } };
    };
  };
  const retried = () =>
    use().observe((prompt: string) => prompt.length, {
      agentName: 'a',
      retryWith: (feedback, prompt) => [`${prompt} (${feedback})`],
    });

  test.each([
    ['as often as it wants', 2, 5, 3],
    ['no more often than it allows', 9, 2, 3],
    ['not at all', 0, 5, 1],
  ])('the function is called %s', async (_name, times, maxRetries, runs) => {
    wanting(times, maxRetries);
    const fn = retried();
    expectTypeOf(fn).toEqualTypeOf<(prompt: string) => Promise<number>>();
    expect(await fn('hi')).toBe('hi'.length + (runs - 1) * ' (be brief)'.length);
    expect(bodies('start').map((body) => body.metadata)).toEqual([
      undefined,
      ...Array.from({ length: runs - 1 }, (_, i) => ({ retry_attempt: i + 1 })),
    ]);
  });

  test('a run handle returns the outcome', async () => {
    wanting(1, 1);
    const run = use().startRun();
    run.complete();
    expect(await run.outcome()).toEqual({
      governanceAction: 'retry',
      shouldRetry: true,
      retryFeedback: 'be brief',
      maxRetries: 1,
    });
  });
});
