import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const MINUTE = 60_000;
const TEN = Date.UTC(2026, 4, 4, 10);
const at = (minutes: number): string => new Date(TEN + minutes * MINUTE).toISOString();

describe.each(databases)('totals of calls in a time range on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    const { recording } = service.byKey;
    for (const agent_name of ['a', 'b']) {
      const { run_id } = await recording.startRun({ body: { agent_name, started_at: at(-60) } });
      // One call every half hour from nine to one. The tokens of each are a different power of two.
      const calls = Array.from({ length: 8 }, (_, i) => ({
        model: 'm',
        tokens_in: 2 ** i,
        tokens_out: 0,
        cost: 0,
        created_at: at(30 * i - 60),
      }));
      await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    }
  });
  afterAll(() => service.stop());

  const totalsOf = async (query: object) => {
    const { results, aggregates } = await service.byOwner.llmCalls.listLlmCalls({
      query: { agent: 'a', limit: 100, ...query },
    });
    const tokens = results.reduce((sum, { total_tokens }) => sum + total_tokens, 0);
    return [aggregates.total_tokens, aggregates.total_calls, tokens, results.length];
  };

  /** Ranges in minutes after ten o'clock, with the half hours whose calls are included. */
  test.each<[from: number, to: number, halves: number[]]>([
    [0, 60, [2, 3]],
    [0, 120, [2, 3, 4, 5]],
    [0, 30, [2]],
    [30, 60, [3]],
    [30, 90, [3, 4]],
    [30, 120, [3, 4, 5]],
    [1, 61, [3, 4]],
    [60, 60, []],
    [-60, 0, [0, 1]],
  ])('from %i to %i minutes after ten are the sums of listed calls', async (from, to, halves) => {
    const tokens = halves.reduce((sum, half) => sum + 2 ** half, 0);
    const query = { start: at(from), end: at(to) };
    const expected = [tokens, halves.length, tokens, halves.length];
    expect(await totalsOf(query)).toEqual(expected);
    expect(await totalsOf({ ...query, agent: undefined })).toEqual(expected.map((n) => n * 2));
  });

  test('a range with only one end is open at the other', async () => {
    expect(await totalsOf({ start: at(60) })).toEqual([240, 4, 240, 4]);
    expect(await totalsOf({ end: at(60) })).toEqual([15, 4, 15, 4]);
    expect(await totalsOf({})).toEqual([255, 8, 255, 8]);
  });
});
