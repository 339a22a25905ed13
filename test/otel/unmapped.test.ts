import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Masking } from '#contract/settings.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { listUnmapped } from '#control-plane/otel/unmapped-queries.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time-units.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import type { TestClient } from '../support/control-plane.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';
import { pollUntil } from '../support/processes.ts';
import { chat } from '../support/sent-traces.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { keyValues, newTraceId, requestOf, START, type TestSpan } from './spans.ts';

const NOW = START + MINUTE_MS;
const MASKING_OFF: Masking = { enabled: false, builtin: [], keys: [], patterns: [] };

describe.each(databases)('examples of unmapped names on %s', (kind) => {
  let service: TwoTenants;
  let scopes = 0;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    service.setTime(NOW);
  });
  afterAll(() => service.stop());
  afterEach(() => change({}));

  const withKey = (key: string): TestClient =>
    createClient(contract, {
      baseUrl: service.urls.public,
      headers: () => ({ 'X-Svc-Key': key }),
    });
  const change = (changed: { masking?: Masking; retention_days?: number }) =>
    service.one.byOwner.settings.putRecordingSettings({
      body: { retention_days: null, masking: MASKING_OFF, ...changed },
    });

  /** Creates an instrumentation scope of its own, so that a test finds only its own names. */
  function newScope(sender: TestClient = service.one.byKey) {
    const scope = { name: `acme-${(scopes += 1)}`, version: '1' };
    const isOwn = (row: { scope: string }): boolean => row.scope === scope.name;
    const query = { limit: 100 };
    return {
      sendSpans: (trace: string, ...spans: TestSpan[]) =>
        sender.otel.exportTraces({ body: requestOf(spans, { trace, scope }) }),
      sendLogs: (...logRecords: object[]) =>
        sender.otel.exportLogs({
          body: { resourceLogs: [{ scopeLogs: [{ scope, logRecords }] }] },
        }),
      unmapped: async () =>
        (await service.one.byOwner.otel.listUnmappedAttributes({ query })).results.filter(isOwn),
      rejected: async () =>
        (await service.one.byOwner.otel.listRejectedSpans({ query })).results.filter(isOwn),
    };
  }

  async function runOf(trace: string): Promise<number> {
    const { results } = await service.one.byOwner.runs.listRuns({ query: { limit: 100 } });
    return results.find(({ trace_id }) => trace_id === trace)?.id as number;
  }

  test('a name has its last value, and the trace and run in which it was found', async () => {
    const { sendSpans, unmapped } = newScope();
    const [first, last] = [newTraceId(), newTraceId()];
    const odd = (value: number) => chat({ id: 'call', attributes: { 'acme.usage.input': value } });
    await sendSpans(first, odd(5));
    expect(await unmapped()).toMatchObject([
      { trace_id: first, run_id: await runOf(first), example: { type: 'number', text: '5' } },
    ]);
    await sendSpans(last, odd(6), chat({ id: 'other', attributes: { 'acme.mood': 'warm' } }));
    expect(await unmapped()).toMatchObject([
      {
        name: 'acme.usage.input',
        count: 2,
        trace_id: last,
        run_id: await runOf(last),
        example: { type: 'number', length: null, text: '6' },
      },
      { name: 'acme.mood', count: 1, example: { type: 'string', length: 4, text: 'warm' } },
    ]);
  });

  test('names of usage on spans of an unknown framework are listed, without a run', async () => {
    const { sendSpans, unmapped } = newScope();
    const trace = newTraceId();
    const attributes = { 'my.tokens.prompt': 12, 'my.model': 'gpt-5', 'session.token': 'abc' };
    await sendSpans(trace, { id: 'call', attributes }, { id: 'http' });
    const listed = [
      {
        name: 'my.tokens.prompt',
        count: 1,
        trace_id: trace,
        run_id: null,
        example: { text: '12' },
      },
    ];
    expect(await unmapped()).toMatchObject(listed);
    await sendSpans(trace, { id: 'call', attributes });
    expect(await unmapped()).toMatchObject(listed);
  });

  test('of the spans of a request, the one that ends last is the example', async () => {
    const { sendSpans, unmapped } = newScope();
    const [early, late] = [newTraceId(), newTraceId()];
    const odd = (trace: string, to: number, value: string) =>
      chat({ id: 'call', trace, to, attributes: { 'acme.mood': value } });
    await sendSpans(early, odd(late, 900, 'late'), odd(early, 800, 'early'));
    expect(await unmapped()).toMatchObject([
      { count: 2, trace_id: late, example: { text: 'late' } },
    ]);
  });

  test('an unknown kind and an unknown event have examples', async () => {
    const { sendSpans, unmapped } = newScope();
    await sendSpans(newTraceId(), {
      id: 'odd',
      attributes: { 'gen_ai.operation.name': 'Dream' },
      events: [{ name: 'gen_ai.dreamt', attributes: { of: 'sheep', 'gen_ai.depth': 2 } }],
    });
    expect((await unmapped()).map(({ name, example }) => [name, example?.text])).toEqual([
      ['event gen_ai.dreamt', 'gen_ai.depth=2 of=sheep'],
      ['gen_ai.depth', '2'],
      ['gen_ai.operation.name = dream', 'Dream'],
    ]);
  });

  test('an unknown log event lists its attributes, and has a trace if it was sent with one', async () => {
    const { sendSpans, sendLogs, unmapped } = newScope();
    const trace = newTraceId();
    await sendSpans(trace, chat({ id: 'call' }));
    const record = {
      timeUnixNano: `${BigInt(NOW) * 1_000_000n}`,
      eventName: 'acme.answered',
      attributes: keyValues({ model: 'gpt-5', output_tokens: 12 }),
      body: { stringValue: 'It is warm' },
    };
    await sendLogs(record);
    const example = {
      type: 'event',
      length: 3,
      text: 'output_tokens=12 model=gpt-5 body=It is warm',
    };
    expect(await unmapped()).toMatchObject([
      { name: 'event acme.answered', trace_id: null, run_id: null, example },
    ]);
    await sendLogs({ ...record, traceId: trace });
    expect(await unmapped()).toMatchObject([
      { count: 2, trace_id: trace, run_id: await runOf(trace), example },
    ]);
  });

  test('a rejection has the trace of the rejected span, and its run', async () => {
    const { sendSpans, sendLogs, rejected } = newScope();
    const [trace, other] = [newTraceId(), newTraceId()];
    await sendSpans(trace, chat({ id: 'call' }));
    await sendSpans(trace, { id: 'old', from: -1e12 });
    await sendSpans('0'.repeat(32), { id: 'lost' });
    await sendLogs({ traceId: other, timeUnixNano: 'never' });
    await sendLogs({ traceId: 7, timeUnixNano: '1' });
    expect(
      (await rejected()).map(({ reason, trace_id, run_id }) => [reason, trace_id, run_id]),
    ).toEqual([
      ['the start is before the year 2000', trace, await runOf(trace)],
      ['the trace id is not 16 bytes, or is all zero', null, null],
      ['timeUnixNano: expected nanoseconds since 1970', other, null],
      [expect.stringMatching(/^traceId: /), null, null],
    ]);
  });

  test('a trace that a quota rejects is named', async () => {
    const quotas = { max_agent_runs_per_day: 0 };
    const { id, api_key } = await service.one.byKey.subTenants.createSubTenant({
      body: { name: 'full', quotas },
    });
    const trace = newTraceId();
    await newScope(withKey(api_key)).sendSpans(trace, chat({ id: 'call' }));
    const stored = await service.storage.db
      .selectFrom('otel_unknowns')
      .select(['name', 'trace_id'])
      .where('tenant_id', '=', id)
      .execute();
    expect(stored).toEqual([
      { name: 'quota max_agent_runs_per_day exceeded: no new run', trace_id: trace },
    ]);
  });

  test('the run of another tenant with the same trace id is not named', async () => {
    const trace = newTraceId();
    const { sendSpans, rejected } = newScope();
    await newScope(service.other.byKey).sendSpans(trace, chat({ id: 'call' }));
    await sendSpans(trace, { id: 'old', from: -1e12 });
    expect(await rejected()).toMatchObject([{ trace_id: trace, run_id: null }]);
  });

  test('values are masked, and metrics have none', async () => {
    await change({ masking: { ...MASKING_OFF, enabled: true, builtin: ['EMAIL'] } });
    const { sendSpans, unmapped } = newScope();
    const attributes = { 'acme.to': 'maya@example.com' };
    const events = [{ name: 'gen_ai.sent', attributes }];
    await sendSpans(newTraceId(), chat({ id: 'call', attributes, events }));
    expect((await unmapped()).map(({ example }) => example?.text)).toEqual([
      '##EMAIL##',
      'acme.to=##EMAIL##',
    ]);
    const metric = { name: 'acme.count', sum: { dataPoints: [{ asInt: '7' }] } };
    const scopeMetrics = [{ scope: { name: 'acme' }, metrics: [metric] }];
    await service.one.byKey.otel.exportMetrics({ body: { resourceMetrics: [{ scopeMetrics }] } });
    const { results } = await service.one.byOwner.otel.listReceivedMetrics({ query: {} });
    expect(Object.keys(results[0] ?? {}).toSorted()).toEqual(
      ['name', 'count', 'last_seen', 'scope', 'scope_version'].toSorted(),
    );
  });

  test('beyond the retention, counts stay and examples are removed', async () => {
    const [old, young] = [newScope(), newScope()];
    const trace = newTraceId();
    const odd = chat({ id: 'call', attributes: { 'acme.mood': 'warm' } });
    await old.sendSpans(trace, odd);
    await old.sendSpans(trace, { id: 'old', from: -1e12 });
    service.setTime(NOW + 20 * DAY_MS);
    await young.sendSpans(newTraceId(), odd);
    service.setTime(NOW + 31 * DAY_MS);
    await change({ retention_days: 30 });
    const [name] = await pollUntil(old.unmapped, ([row]) => row?.example === null);
    expect(name).toMatchObject({ count: 1, trace_id: null, run_id: null, example: null });
    expect(await old.rejected()).toMatchObject([{ count: 1, trace_id: null, run_id: null }]);
    expect(await young.unmapped()).toMatchObject([{ example: { text: 'warm' } }]);
    service.setTime(NOW);
  });
});

test.each(databases)('names counted by an older version have no example on %s', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const open = (options: object = {}) =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });
  const old = await open({ migrations: firstMigration });
  const row = { tenant_id: 't', kind: 'attribute', name: 'acme.x', scope: 'acme' } as const;
  const counts = { scope_version: '1', seen_count: 3, last_seen: NOW };
  // This version's columns do not exist yet.
  await old.db
    .insertInto('otel_unknowns')
    .values({ ...row, ...counts })
    .execute();
  await old.close();
  const storage = await open();
  const { rows } = await listUnmapped(storage.db, 't', 'attribute', { limit: 10, offset: 0 });
  expect(rows).toEqual([
    {
      name: 'acme.x',
      scope: 'acme',
      scope_version: '1',
      count: 3,
      last_seen: NOW,
      trace_id: null,
      run_id: null,
      example: null,
    },
  ]);
  await storage.close();
  await database.remove();
});
