import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maintenanceSteps } from '#control-plane/otel/maintenance/maintenance-steps.ts';
import {
  maintainTraces,
  type MaintenanceContext,
} from '#control-plane/otel/maintenance/maintain-traces.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { newTraceId, requestOf, START, type TestSpan } from './spans.ts';
import { runOfTrace } from './stored.ts';

const MINUTE_MS = 60_000;

const chat = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
  },
});

describe.each(databases)('traces over time, on %s', (kind) => {
  let service: TwoTenants;
  let time = START + MINUTE_MS;
  const passes = (ms: number): void => service.setTime((time += ms));
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    passes(0);
  });
  afterAll(() => service.stop());

  /** Runs all maintenance that is due; returns the runs that policies were notified of. */
  const tidy = async (): Promise<number[]> => {
    const { storage } = service;
    const endedRuns: number[] = [];
    const governance = {
      onRunEnd: (run: { id: number }) => Promise.resolve(void endedRuns.push(run.id)),
    };
    const context = { storage, governance, now: () => time } as unknown as MaintenanceContext;
    for (const chore of maintenanceSteps)
      await maintainTraces(context, chore, new AbortController().signal);
    return endedRuns;
  };

  let services = 0;
  const newTrace = (tenant: 'one' | 'other' = 'one') => {
    const name = `svc-${(services += 1)}`;
    const trace = newTraceId();
    const { byKey, byOwner } = service[tenant];
    return {
      trace,
      name,
      send: (...spans: TestSpan[]) =>
        byKey.otel.exportTraces({
          body: requestOf(spans, { trace, resource: { 'service.name': name } }),
        }),
      run: async () => {
        const run = await runOfTrace({ byOwner }, trace, [name]);
        return run as NonNullable<typeof run>;
      },
    };
  };
  /** Returns the kinds of the spans stored for a trace; undefined if the trace has been deleted. */
  const remembered = async ({ trace }: { trace: string }) => {
    const { db } = service.storage;
    const found = await db
      .selectFrom('otel_traces')
      .select('state')
      .where('trace_id', '=', trace)
      .executeTakeFirst();
    const spans = await db
      .selectFrom('otel_spans')
      .select('kind')
      .where('trace_id', '=', trace)
      .execute();
    return found && spans.map((span) => span.kind).sort();
  };

  test('a run without a root ends even if nothing else arrives', async () => {
    const { send, run } = newTrace('other');
    await send(chat({ id: 'call', parent: 'lost', from: 0, to: 4000 }));
    passes(11 * MINUTE_MS);
    await expect.poll(async () => (await run()).status).toBe('success');
    expect(await run()).toMatchObject({ duration: 4, llm_call_count: 1 });
  });

  test('it ends ten minutes after the last span, and a late root updates it', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'lost', from: 0, to: 4000 }));
    passes(9 * MINUTE_MS);
    expect([await tidy(), (await run()).status]).toEqual([[], 'running']);
    passes(2 * MINUTE_MS);
    await tidy();
    expect(await run()).toMatchObject({ status: 'success', duration: 4 });
    await send({ id: 'lost', from: 0, to: 5000, error: 'boom' });
    expect(await run()).toMatchObject({ status: 'error', error: 'boom', duration: 5 });
  });

  test('concurrent maintenance by several processes ends a run once', async () => {
    const { send, name } = newTrace();
    const calls = Array.from({ length: 250 }, (_, i) => ({
      ...chat({ id: `call ${i}`, parent: 'lost', to: 2000 }),
      trace: newTraceId(),
    }));
    await send(...calls);
    passes(11 * MINUTE_MS);
    const endedRuns = (await Promise.all([tidy(), tidy(), tidy()])).flat();
    expect(new Set(endedRuns).size).toBe(endedRuns.length);
    const totals = await service.storage.db
      .selectFrom('run_totals')
      .select(['status', 'run_count'])
      .where('agent_name', '=', name)
      .where('run_count', '<>', 0)
      .execute();
    expect(totals).toEqual([{ status: 'success', run_count: calls.length }]);
  });

  test('policies evaluate a run that ends this way', async () => {
    const { send, run } = newTrace();
    await send(chat({ id: 'call', parent: 'lost' }));
    passes(11 * MINUTE_MS);
    const endedRuns = await tidy();
    // Unless the control plane's own maintenance was faster.
    expect([[], [(await run()).id]]).toContainEqual(endedRuns);
  });

  test('plain traces are deleted after an hour, and spans that a run needs are kept', async () => {
    const [plain, mixed] = [newTrace(), newTrace()];
    await plain.send({ id: 'http' });
    await mixed.send(
      { id: 'http' },
      chat({ id: 'call', parent: 'http' }),
      { id: 'dns', parent: 'call' },
      { id: 'socket', parent: 'dns' },
    );
    passes(59 * MINUTE_MS);
    await tidy();
    expect([await remembered(plain), await remembered(mixed)]).toEqual([
      ['plain'],
      ['call', 'plain', 'plain', 'plain'],
    ]);
    passes(2 * MINUTE_MS);
    await tidy();
    // The span above the call is part of the run's tree.
    const kept = ['call', 'plain'];
    expect([await remembered(plain), await remembered(mixed)]).toEqual([undefined, kept]);
    await mixed.send(chat({ id: 'call', parent: 'http' }));
    expect((await mixed.run()).llm_call_count).toBe(1);
  });

  test('the spans of a trace have no rows until more of them arrive', async () => {
    const trace = newTrace();
    const call = chat({ id: 'call', parent: 'root' });
    await trace.send(call);
    expect(await remembered(trace)).toEqual([]);
    await trace.send(call, chat({ id: 'more', parent: 'root' }));
    expect(await remembered(trace)).toEqual(['call', 'call']);
    expect((await trace.run()).llm_call_count).toBe(2);
  });

  test('irrelevant spans are deleted, however many there are in total and per trace', async () => {
    const { trace, send } = newTrace();
    const noise = (id: string, length: number): TestSpan[] =>
      Array.from({ length }, (_, i) => ({
        id: `${id}${i}`,
        trace: id === 'x' ? trace : newTraceId(),
      }));
    await send(...noise('x', 2500), ...noise('y', 450));
    passes(61 * MINUTE_MS);
    await tidy();
    expect(await remembered({ trace })).toBe(undefined);
    const plain = await service.storage.db
      .selectFrom('otel_spans')
      .select('span_id')
      .where('kind', '=', 'plain')
      .where('trace_id', '=', trace)
      .execute();
    expect(plain).toEqual([]);
  });

  test('a trace whose run was deleted starts a new run, and is eventually deleted', async () => {
    // The tenant has few traces: only the oldest ones are examined, because retention deletes the
    // oldest runs.
    const { send, run, trace } = newTrace('other');
    await send(chat({ id: 'call', parent: 'root' }));
    const { id } = await run();
    const { db } = service.storage;
    await db.deleteFrom('llm_calls').where('run_id', '=', id).execute();
    await db.deleteFrom('runs').where('id', '=', id).execute();
    await send(chat({ id: 'late', parent: 'root' }));
    const again = await run();
    expect([again.id === id, again.llm_call_count]).toEqual([false, 1]);
    await db.deleteFrom('runs').where('id', '=', again.id).execute();
    passes(61 * MINUTE_MS);
    await tidy();
    expect(await remembered({ trace })).toBe(undefined);
  });
});
