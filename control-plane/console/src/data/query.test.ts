import { describe, expect, test, vi } from 'vitest';
import { ResponseError } from '#contract/client.ts';
import type { LiveListener } from './live.ts';
import { createQuery } from './query.ts';

/** A query with a fake service, whose responses the test resolves, and a fake live channel. */
function createTestQuery(of: { device?: string; run?: string } = {}) {
  const requests: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];
  const listeners = new Set<LiveListener>();
  const query = createQuery<string>(
    {
      key: 'k',
      topics: ['flows'],
      ...of,
      load: (signal) => {
        const response = Promise.withResolvers<string>();
        requests.push(response);
        signals.push(signal);
        return response.promise;
      },
    },
    {
      throttleMs: 0,
      live: {
        subscribe: (_, listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    },
  );
  const changed = (scope: { device_id?: string; run_id?: number } = {}) => {
    for (const listener of listeners) listener({ topic: 'flows', ...scope });
  };
  return { query, requests, signals, listeners, changed };
}

const untilRequested = (requests: unknown[], times: number) =>
  vi.waitFor(() => expect(requests).toHaveLength(times));

describe('a query', () => {
  test('loads while it has subscribers, and keeps its data', async () => {
    const { query, requests, listeners } = createTestQuery();
    const listener = vi.fn<() => void>();
    const unsubscribe = query.subscribe(listener);
    requests[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read()).toEqual({ data: 'one', error: undefined }));
    expect(listener).toHaveBeenCalledTimes(1);
    unsubscribe();
    expect([query.read().data, listeners.size]).toEqual(['one', 0]);
  });

  test('refetches after a change; changes during a request cause one more request', async () => {
    const { query, requests, changed } = createTestQuery();
    query.subscribe(() => {});
    requests[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    changed();
    await untilRequested(requests, 2);
    const later = [query.refetch(), query.refetch()];
    requests[1]?.resolve('two');
    await untilRequested(requests, 3);
    requests[2]?.resolve('three');
    await Promise.all(later);
    expect([query.read().data, requests.length]).toEqual(['three', 3]);
  });

  test('a refetch resolves only with a response to a request sent after it', async () => {
    const { query, requests } = createTestQuery();
    query.subscribe(() => {});
    const refetched = query.refetch();
    requests[0]?.resolve('before');
    await untilRequested(requests, 2);
    requests[1]?.resolve('after');
    await refetched;
    expect(query.read().data).toBe('after');
  });

  test('keeps the data when a request fails, and reports the error', async () => {
    const { query, requests } = createTestQuery();
    query.subscribe(() => {});
    requests[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    const refetched = query.refetch();
    requests[1]?.reject(new ResponseError(503, 'the database is unavailable'));
    await refetched;
    expect(query.read()).toEqual({ data: 'one', error: 'The database is unavailable' });
  });

  test('aborts the request when the last subscriber leaves', async () => {
    const { query, requests, signals } = createTestQuery();
    const unsubscribe = query.subscribe(() => {});
    unsubscribe();
    expect(signals[0]?.aborted).toBe(true);
    requests[0]?.resolve('late');
    await requests[0]?.promise;
    expect(query.read().data).toBeUndefined();
  });

  test.each([
    [{ device: 'dev_1' }, { device_id: 'dev_2' }, 0],
    [{ device: 'dev_1' }, { device_id: 'dev_1' }, 1],
    [{ device: 'dev_1' }, {}, 1],
    [{ run: '7' }, { run_id: 71 }, 0],
    [{ run: '7' }, { run_id: 7 }, 1],
    [{ run: '7' }, {}, 1],
    [{}, { run_id: 7 }, 1],
  ])('a query for %j refetches after a change of %j: %i times', async (of, change, refetches) => {
    const { query, requests, changed } = createTestQuery(of);
    query.subscribe(() => {});
    requests[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    vi.useFakeTimers();
    changed(change);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(requests).toHaveLength(1 + refetches);
  });
});
