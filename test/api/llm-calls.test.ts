import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchLock } from '#control-plane/storage/locks.ts';
import { pagesOf, sum } from '../support/activity.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const HOUR_MS = 3_600_000;
const T0 = Date.parse('2026-03-01T10:00:00.000Z');

interface SentCall {
  agent: string;
  model: string;
  tokens: number;
  cost: number;
  /** Null: unknown. */
  duration: number | null;
  text: string;
  at: number;
}

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

/** At the edges of hours and between them. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(-1, 0, 1, HOUR_MS / 2))
  .map(([hour, offset]) => T0 + hour * HOUR_MS + offset);

// Binary fractions: their sums are exact in whatever order they are added.
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
  // A given cost of 0 with tokens is no price: it would be computed.
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

/** A bound leaves calls of unknown duration out. */
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

type Stored = SentCall & { id: number };

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

describe.each(databases)('LLM calls on %s', (kind) => {
  let service: TwoTenants;
  const stored: Stored[] = [];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  const list = (query: object) => service.one.byOwner.llmCalls.listLlmCalls({ query });

  async function record(calls: readonly SentCall[]): Promise<number[]> {
    const ids: number[] = [];
    for (const call of calls) {
      service.setTime(call.at);
      const { recording } = service.one.byKey;
      const { run_id } = await recording.startRun({ body: { agent_name: call.agent } });
      const { model, cost, text, tokens: tokens_out } = call;
      const timed = call.duration === null ? {} : { duration_ms: call.duration };
      const sent = { model, cost, tokens_in: 0, tokens_out, prompt_preview: text, ...timed };
      await recording.recordLlmCalls({ params: { run_id }, body: { calls: [sent] } });
      ids.push(await idOfCall(run_id));
    }
    service.setTime(undefined);
    return ids;
  }
  async function idOfCall(runId: string): Promise<number> {
    const { id } = await service.storage.db
      .selectFrom('llm_calls')
      .select('id')
      .where('run_id', '=', Number(runId))
      .executeTakeFirstOrThrow();
    return id;
  }

  test('lists, totals and pages are what was sent', async () => {
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
    const rows = await pagesOf((paging) => list({ ...wanted, ...paging }), limit);
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
    const summary = await service.one.byOwner.llmCalls.summarizeLlmCalls({ query });
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

  test('over months, hours are read from the totals and their rests call by call', async () => {
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'months' } });
    const start = Date.parse('2025-01-01T00:30:00.000Z');
    const days = [0, 0, 1, 30, 31, 90];
    for (const day of days) {
      service.setTime(start + day * 24 * HOUR_MS);
      const calls = [{ model: 'claude', tokens_in: 1, tokens_out: 0, cost: 0.5 }];
      await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    }
    service.setTime(undefined);
    const countOf = async (query: object) => {
      const { buckets, bucket_seconds } = await service.one.byOwner.llmCalls.summarizeLlmCalls({
        query: { agent: 'months', ...query },
      });
      return [bucket_seconds, ...buckets.map(({ calls }) => calls)];
    };
    const DAY = 24 * 3600;
    expect(await countOf({})).toEqual([2 * DAY, 2, 1, 1, 1, 1]);
    // In the middle of the first hour, and of the last.
    const at = (day: number, ms: number) => new Date(start + day * 24 * HOUR_MS + ms).toISOString();
    expect(await countOf({ start: at(0, 1), end: at(90, 1) })).toEqual([2 * DAY, 1, 1, 1, 1]);
    expect(await countOf({ start: at(0, 0), end: at(90, 0) })).toEqual([12 * 3600, 2, 1, 1, 1]);
    expect(await countOf({ end: at(0, 0) })).toEqual([0]);
  });

  test('a file has the calls of a filter, in their order', async () => {
    for (const query of [
      { sort: '-cost' },
      { sort: '-duration_ms', min_duration_ms: 1 },
      { search: 'red', sort: 'duration_ms' },
      { agent: 'support', sort: 'created_at' },
      { search: 'red' },
      { search: '...' },
    ] as const) {
      const { results, count } = await list({ ...query, limit: 100 });
      const text = await service.one.byOwner.llmCalls.exportLlmCalls({
        query: { ...query, format: 'jsonl' },
      });
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines).toHaveLength(count);
      const listed = results.map(({ id, cost, prompt_preview }) => ({ id, cost, prompt_preview }));
      const saved = lines.map((line) => JSON.parse(line) as object);
      expect(saved.slice(0, listed.length)).toMatchObject(listed);
    }
  });

  test('models are those that were called', async () => {
    const { models: known } = await service.one.byOwner.llmCalls.listLlmCallModels();
    expect(known).toEqual([...new Set(stored.map((call) => call.model))].sort());
    expect(await service.other.byOwner.llmCalls.listLlmCallModels()).toEqual({ models: [] });
  });

  test('a record has every field; the list cuts texts, the detail does not', async () => {
    const { recording } = service.one.byKey;
    const at = Date.parse('2026-04-01T00:00:00.000Z');
    service.setTime(at);
    const { run_id } = await recording.startRun({
      body: { agent_name: 'writer', workflow_name: 'long' },
    });
    const prompt_preview = '🎉'.repeat(250);
    const call = {
      model: 'gpt-4o',
      tokens_in: 1000,
      tokens_out: 500,
      task: 'write',
      span_id: 's-1',
      parent_span_id: 's-0',
      started_at: '2026-03-31T23:59:59.000Z',
      reasoning_tokens: 300,
      time_to_first_token_ms: 20,
      finish_reason: 'stop',
      tool_calls: [{ id: null, name: 'find', arguments: { q: [1] } }],
      prompt_preview,
      response_preview: 'short',
    };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    service.setTime(undefined);
    const { results } = await list({ agent: 'writer' });
    const [row] = results;
    const record = {
      id: await idOfCall(run_id),
      run_id: Number(run_id),
      model: 'gpt-4o',
      provider: expect.anything() as unknown,
      task: 'write',
      agent_name: 'writer',
      workflow_name: 'long',
      tokens_in: 1000,
      tokens_out: 500,
      total_tokens: 1500,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      cost: 0.0075,
      cost_source: 'table',
      span_id: 's-1',
      parent_span_id: 's-0',
      started_at: '2026-03-31T23:59:59.000Z',
      duration_ms: null,
      reasoning_tokens: 300,
      time_to_first_token_ms: 20,
      finish_reason: 'stop',
      created_at: '2026-04-01T00:00:00.000Z',
      prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      response_preview: 'short',
    };
    const provider = row?.provider ?? null;
    expect(row).toEqual({ ...record, provider, prompt_preview: '🎉'.repeat(200) });
    const params = { call_id: String(row?.id) };
    const detail = await service.one.byOwner.llmCalls.getLlmCall({ params });
    const { tool_calls } = call;
    expect(detail).toEqual({ ...record, provider, prompt_preview, response_id: null, tool_calls });
  });

  test('another tenant sees nothing of it', async () => {
    const { llmCalls } = service.other.byOwner;
    const id = String(stored[0]?.id);
    await expect(llmCalls.getLlmCall({ params: { call_id: id } })).rejects.toMatchObject({
      status: 404,
      message: `there is no LLM call ${id}`,
    });
    for (const query of [{}, { min_cost: 0 }, { search: 'red' }, { start: '2020-01-01' }])
      expect(await llmCalls.listLlmCalls({ query })).toMatchObject({
        results: [],
        count: 0,
        aggregates: { total_cost: 0, total_tokens: 0, total_calls: 0, models_used: [] },
      });
  });

  test.each(['0', 'x', '1.5', '99999999999999999'])('there is no call %j', async (call_id) => {
    await expect(
      service.one.byOwner.llmCalls.getLlmCall({ params: { call_id } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{ limit: 0 }, /limit/],
    [{ limit: 'x' }, /limit/],
    [{ offset: -1 }, /offset/],
    [{ sort: 'task' }, /sort/],
    [{ sort: ['cost', 'model'] }, /sort/],
    [{ min_cost: 'cheap' }, /min_cost/],
    [{ min_cost: '' }, /min_cost/],
    [{ min_cost: '0x10' }, /^min_cost: expected a decimal number$/],
    [{ max_cost: ' 1' }, /max_cost/],
    [{ min_tokens: '0b1' }, /^min_tokens: expected a whole number$/],
    [{ max_tokens: 1.5 }, /max_tokens/],
    [{ max_tokens: 'Infinity' }, /max_tokens/],
    [{ min_cost: 2, max_cost: 1 }, /min_cost.*max_cost/],
    [{ min_tokens: 2, max_tokens: 1 }, /min_tokens.*max_tokens/],
    [{ min_duration_ms: 2, max_duration_ms: 1 }, /min_duration_ms.*max_duration_ms/],
    [{ min_duration_ms: 0.5 }, /min_duration_ms/],
    [{ start: 'yesterday' }, /start/],
    [{ end: '2026-13-01' }, /end/],
    [{ start: '2026-02-02', end: '2026-02-01' }, /start/],
    [{ search: 'x'.repeat(1001) }, /search/],
    [{ agent: ['a', 'b'] }, /agent/],
  ])('%j is refused by name', async (bad, message) => {
    await expect(list(bad)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
  });

  test('decimals are taken however they are written', async () => {
    const { count } = await list({});
    for (const none of ['0', '-1.5', '1e-7', 1e-9])
      expect((await list({ min_cost: none, max_cost: '1E9' })).count).toBeLessThanOrEqual(count);
  });

  test('what is empty does not filter; a limit over the maximum is the maximum', async () => {
    const { count } = await list({});
    expect((await list({ search: ' ', model: '', agent: '' })).count).toBe(count);
    expect((await list({ limit: 5000 })).results.length).toBe(Math.min(count, 100));
    expect(await list({ search: '!!!' })).toMatchObject({ results: [], count: 0 });
    expect(await list({ offset: 1_000_000 })).toMatchObject({ results: [], count, next: null });
  });

  test.runIf(kind === 'postgres')('a search that cannot see everything yet says so', async () => {
    const { search, transaction } = service.storage;
    const tenant_id = await tenantOf();
    expect(await search.catchUp(tenant_id)).toBe(true);
    await transaction(async (other) => {
      // Another process works at the index of this tenant, and does not come to an end.
      await other.lock(searchLock(tenant_id));
      await transaction(async (tx) => {
        // Of calls that are not there: nothing is indexed twice.
        await search.enqueue(tx, tenant_id, [999_991, 999_992, 999_993]);
        await tx.bulk.insert('search_queue', [
          { tenant_id, call_ids: '[999994]', call_count: 1, queued_at: Date.now() - 60_000 },
        ]);
      });
      const { incomplete, search_lag } = await list({ search: 'red' });
      expect({ incomplete, calls: search_lag?.calls }).toEqual({ incomplete: true, calls: 4 });
      expect(search_lag?.seconds).toBeGreaterThanOrEqual(60);
      expect(await list({})).toMatchObject({ incomplete: false, search_lag: null });
      const { status, search: lag } = await service.one.byOwner.service.readyz();
      expect({ status, calls: lag?.calls }).toEqual({ status: 'ok', calls: 4 });
    });
    expect(await search.catchUp(tenant_id)).toBe(true);
    expect(await list({ search: 'red' })).toMatchObject({ incomplete: false, search_lag: null });
    expect(await search.lag()).toEqual({ calls: 0, seconds: 0 });
  });
  const tenantOf = async (): Promise<string> => {
    const { tenant_id } = await service.storage.db
      .selectFrom('llm_calls')
      .select('tenant_id')
      .limit(1)
      .executeTakeFirstOrThrow();
    return tenant_id;
  };

  test('links keep the filter, with every model', async () => {
    const { next } = await list({ model: ['gpt-4o', 'claude'], search: 'a b', limit: 1 });
    const first = await list({ model: ['gpt-4o', 'claude'], min_tokens: 0, limit: 1 });
    expect(next).toBeNull();
    expect(new URL(first.next ?? '').search).toBe(
      '?model=gpt-4o&model=claude&min_tokens=0&limit=1&offset=1',
    );
  });
});
