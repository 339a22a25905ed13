import { describe, expect, test, vi } from 'vitest';
import { ResponseError } from '#contract/client.ts';
import type { LiveListener } from './live.ts';
import { createQuery } from './query.ts';

/** A service that answers when it is told to, and the live channel beside it. */
function scene(of: { device?: string; run?: string } = {}) {
  const asked: PromiseWithResolvers<string>[] = [];
  const signals: AbortSignal[] = [];
  const listeners = new Set<LiveListener>();
  const query = createQuery<string>(
    {
      key: 'k',
      topics: ['flows'],
      ...of,
      load: (signal) => {
        const answer = Promise.withResolvers<string>();
        asked.push(answer);
        signals.push(signal);
        return answer.promise;
      },
    },
    {
      gather: 0,
      live: {
        subscribe: (_, listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    },
  );
  const changed = (what: { device_id?: string; run_id?: number } = {}) => {
    for (const listener of listeners) listener({ topic: 'flows', ...what });
  };
  return { query, asked, signals, listeners, changed };
}

const untilAsked = (asked: unknown[], times: number) =>
  vi.waitFor(() => expect(asked).toHaveLength(times));

describe('a query', () => {
  test('reads while somebody looks and keeps what it read', async () => {
    const { query, asked, listeners } = scene();
    const seen = vi.fn<() => void>();
    const leave = query.subscribe(seen);
    asked[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read()).toEqual({ data: 'one', error: undefined }));
    expect(seen).toHaveBeenCalledTimes(1);
    leave();
    expect([query.read().data, listeners.size]).toEqual(['one', 0]);
  });

  test('reads again on a change; changes while it reads lead to one more reading', async () => {
    const { query, asked, changed } = scene();
    query.subscribe(() => {});
    asked[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    changed();
    await untilAsked(asked, 2);
    const later = [query.refetch(), query.refetch()];
    asked[1]?.resolve('two');
    await untilAsked(asked, 3);
    asked[2]?.resolve('three');
    await Promise.all(later);
    expect([query.read().data, asked.length]).toEqual(['three', 3]);
  });

  test('a refetch is over only when an answer is there that was asked for after it', async () => {
    const { query, asked } = scene();
    query.subscribe(() => {});
    const refetched = query.refetch();
    asked[0]?.resolve('before');
    await untilAsked(asked, 2);
    asked[1]?.resolve('after');
    await refetched;
    expect(query.read().data).toBe('after');
  });

  test('keeps the data when reading fails, and says why', async () => {
    const { query, asked } = scene();
    query.subscribe(() => {});
    asked[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    const refetched = query.refetch();
    asked[1]?.reject(new ResponseError(503, 'the database is away'));
    await refetched;
    expect(query.read()).toEqual({ data: 'one', error: 'The database is away' });
  });

  test('gives up a reading that nobody waits for', async () => {
    const { query, asked, signals } = scene();
    const leave = query.subscribe(() => {});
    leave();
    expect(signals[0]?.aborted).toBe(true);
    asked[0]?.resolve('late');
    await asked[0]?.promise;
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
  ])('of %j, told of a change of %j, reads %i times more', async (of, change, readings) => {
    const { query, asked, changed } = scene(of);
    query.subscribe(() => {});
    asked[0]?.resolve('one');
    await vi.waitFor(() => expect(query.read().data).toBe('one'));
    vi.useFakeTimers();
    changed(change);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(asked).toHaveLength(1 + readings);
  });
});
