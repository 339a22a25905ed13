import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listAllPages, sum } from '../support/activity.ts';
import { databases } from '../support/databases.ts';
import { setUpLlmCalls, type SentCall } from '../support/llm-calls-sent.ts';

const HOUR_MS = 3_600_000;
const T0 = Date.parse('2026-03-01T10:00:00.000Z');

interface Query {
  search?: string;
  model?: string | string[];
  agent?: string;
  min_cost?: number;
  max_cost?: number;
  min_tokens?: number;
  max_tokens?: number;
  min_duration_ms?: number;
  max_duration_ms?: number;
  start?: string;
  end?: string;
  sort?: (typeof sorts)[number];
}

const sorts = [
  'created_at',
  '-created_at',
  'cost',
  '-cost',
  'total_tokens',
  '-total_tokens',
  'duration_ms',
  '-duration_ms',
  'model',
  '-model',
] as const;

const agents = ['support', 'research'] as const;
const models = ['gpt-4o', 'claude', 'own/model'] as const;
const words = ['red', 'green', 'blue'] as const;

/** Times at the edges of hours and between them. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(-1, 0, 1, HOUR_MS / 2))
  .map(([hour, offset]) => T0 + hour * HOUR_MS + offset);

// Binary fractions, whose sums are exact in any order of addition.
const cost = fc.nat(5).map((n) => n / 8);
const tokens = fc.nat(4);
const duration = fc.constantFrom(0, 1, 250, 9000);

const sentCall: fc.Arbitrary<SentCall> = fc
  .record({
    agent: fc.constantFrom(...agents),
    model: fc.constantFrom(...models),
    tokens,
    cost,
    duration: fc.option(duration),
    text: fc.subarray([...words]).map((chosen) => chosen.join(' ')),
    at: moment,
  })
  // A given cost of 0 with tokens does not count as a price: the cost would be computed.
  .map((call) => (call.cost === 0 ? { ...call, tokens: 0 } : call));

const between = (name: string, value: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.option(value), fc.option(value))
    .map(([a, b]) => (a !== null && b !== null && a > b ? [b, a] : [a, b]))
    .map(([min, max]) => ({
      ...(min !== null && { [`min_${name}`]: min }),
      ...(max !== null && { [`max_${name}`]: max }),
    }));

const mostly = <T>(bounds: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: bounds });

const query: fc.Arbitrary<Query> = fc
  .tuple(
    fc.record(
      {
        search: fc.constantFrom('red', 'green blue', '"red green"', 'bl*', 'claude'),
        model: fc.oneof(
          fc.constantFrom(...models),
          fc.subarray([...models, 'unknown'], { minLength: 1 }),
        ),
        agent: fc.constantFrom(...agents),
        sort: fc.constantFrom(...sorts),
      },
      { requiredKeys: [] },
    ),
    mostly(between('cost', cost)),
    mostly(between('tokens', tokens)),
    mostly(between('duration_ms', duration)),
    fc.tuple(fc.option(moment), fc.option(moment)).map(([a, b]) => {
      const [start, end] = a !== null && b !== null && a > b ? [b, a] : [a, b];
      return {
        ...(start !== null && { start: new Date(start).toISOString() }),
        ...(end !== null && { end: new Date(end).toISOString() }),
      };
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as Query);

const isBetween = (value: number, min = -Infinity, max = Infinity): boolean =>
  min <= value && value <= max;

/** A bound excludes calls of unknown duration. */
const isOfDuration = (duration: number | null, min?: number, max?: number): boolean =>
  duration === null ? min === undefined && max === undefined : isBetween(duration, min, max);

function isWanted(call: SentCall, wanted: Query): boolean {
  const given = [wanted.model ?? call.model].flat();
  return (
    isFound(call, wanted.search) &&
    given.includes(call.model) &&
    (wanted.agent ?? call.agent) === call.agent &&
    isBetween(call.cost, wanted.min_cost, wanted.max_cost) &&
    isBetween(call.tokens, wanted.min_tokens, wanted.max_tokens) &&
    isOfDuration(call.duration, wanted.min_duration_ms, wanted.max_duration_ms) &&
    call.at >= Date.parse(wanted.start ?? '1970-01-01') &&
    call.at < Date.parse(wanted.end ?? '2100-01-01')
  );
}

function isFound({ model, text }: SentCall, search: Query['search']): boolean {
  const found: Record<string, boolean> = {
    red: /\bred\b/.test(text),
    'green blue': /\bgreen\b/.test(text) && /\bblue\b/.test(text),
    '"red green"': /\bred green\b/.test(text),
    'bl*': /\bbl/.test(text),
    claude: model === 'claude',
  };
  return search === undefined || found[search] === true;
}

function inOrder(calls: Stored[], sort: (typeof sorts)[number]): Stored[] {
  const sign = sort.startsWith('-') ? -1 : 1;
  const keys = {
    created_at: 'at',
    cost: 'cost',
    total_tokens: 'tokens',
    duration_ms: 'duration',
    model: 'model',
  } as const;
  const key = keys[sort.replace('-', '') as keyof typeof keys];
  return calls.toSorted((one, other) => {
    const [a, b] = [one[key] ?? -1, other[key] ?? -1];
    const order = a < b ? -1 : a > b ? 1 : one.id - other.id;
    return sign * order;
  });
}

type Stored = SentCall & { id: number };

describe.each(databases)('LLM calls on %s', (kind) => {
  const world = setUpLlmCalls(kind);
  const { list, record } = world;
  const stored: Stored[] = [];

  test('lists, totals and pages are equal to what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sentCall, { minLength: 1, maxLength: 6 }),
        fc.array(query, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 30 }),
        async (calls, queries, limit) => {
          const ids = await record(calls);
          calls.forEach((call, i) => stored.push({ ...call, id: ids[i] as number }));
          for (const wanted of queries) await check(wanted, limit);
        },
      ),
      { numRuns: 15 },
    );
  });

  async function check(wanted: Query, limit: number): Promise<void> {
    const found = inOrder(
      stored.filter((call) => isWanted(call, wanted)),
      wanted.sort ?? '-created_at',
    );
    const rows = await listAllPages((paging) => list({ ...wanted, ...paging }), limit);
    expect(rows.map((row) => row.id)).toEqual(found.map((call) => call.id));
    const { count, aggregates, incomplete } = await list({ ...wanted, offset: 1 });
    expect({ count, aggregates, incomplete }).toEqual({
      count: found.length,
      aggregates: {
        total_calls: found.length,
        total_cost: sum(found.map((call) => call.cost)),
        total_tokens: sum(found.map((call) => call.tokens)),
        models_used: [...new Set(found.map((call) => call.model))].sort(),
      },
      incomplete: false,
    });
    await checkSummary(wanted, found);
  }

  async function checkSummary({ sort: _sort, ...query }: Query, found: readonly SentCall[]) {
    const summary = await world.service.one.byOwner.llmCalls.summarizeLlmCalls({ query });
    const length = summary.bucket_seconds * 1000;
    expect(length > 0).toBe(found.length > 0);
    expect(summary).toEqual({
      bucket_seconds: summary.bucket_seconds,
      incomplete: false,
      buckets: [...Map.groupBy(found, ({ at }) => at - (at % length))]
        .sort(([a], [b]) => a - b)
        .map(([start, all]) => ({
          start: new Date(start).toISOString(),
          calls: all.length,
          cost: sum(all.map((call) => call.cost)),
          tokens: sum(all.map((call) => call.tokens)),
        })),
    });
  }

  test('over months, full hours are read from totals and the rest from calls', async () => {
    const { recording } = world.service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'months' } });
    const start = Date.parse('2025-01-01T00:30:00.000Z');
    const days = [0, 0, 1, 30, 31, 90];
    for (const day of days) {
      world.service.setTime(start + day * 24 * HOUR_MS);
      const calls = [{ model: 'claude', tokens_in: 1, tokens_out: 0, cost: 0.5 }];
      await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    }
    world.service.setTime(undefined);
    const countOf = async (query: object) => {
      const { buckets, bucket_seconds } =
        await world.service.one.byOwner.llmCalls.summarizeLlmCalls({
          query: { agent: 'months', ...query },
        });
      return [bucket_seconds, ...buckets.map(({ calls }) => calls)];
    };
    const DAY = 24 * 3600;
    expect(await countOf({})).toEqual([2 * DAY, 2, 1, 1, 1, 1]);
    // In the middle of the first hour and of the last one.
    const at = (day: number, ms: number) => new Date(start + day * 24 * HOUR_MS + ms).toISOString();
    expect(await countOf({ start: at(0, 1), end: at(90, 1) })).toEqual([2 * DAY, 1, 1, 1, 1]);
    expect(await countOf({ start: at(0, 0), end: at(90, 0) })).toEqual([12 * 3600, 2, 1, 1, 1]);
    expect(await countOf({ end: at(0, 0) })).toEqual([0]);
  });

  test('a file contains the calls of a filter, in their order', async () => {
    for (const query of [
      { sort: '-cost' },
      { sort: '-duration_ms', min_duration_ms: 1 },
      { search: 'red', sort: 'duration_ms' },
      { agent: 'support', sort: 'created_at' },
      { search: 'red' },
      { search: '...' },
    ] as const) {
      const { results, count } = await list({ ...query, limit: 100 });
      const text = await world.service.one.byOwner.llmCalls.exportLlmCalls({
        query: { ...query, format: 'jsonl' },
      });
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines).toHaveLength(count);
      const listed = results.map(({ id, cost, prompt_preview }) => ({ id, cost, prompt_preview }));
      const saved = lines.map((line) => JSON.parse(line) as object);
      expect(saved.slice(0, listed.length)).toMatchObject(listed);
    }
  });

  test('models are those that have calls', async () => {
    const { models: known } = await world.service.one.byOwner.llmCalls.listLlmCallModels();
    expect(known).toEqual([...new Set(stored.map((call) => call.model))].sort());
    expect(await world.service.other.byOwner.llmCalls.listLlmCallModels()).toEqual({ models: [] });
  });
});
