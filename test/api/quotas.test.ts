import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Quotas } from '#contract/sub-tenants.ts';
import {
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { requestOf, START, type TestSpan } from '../otel/spans.ts';

const HOUR = 3_600_000;
/** 18:00 UTC, six hours before midnight. */
const EVENING = Date.UTC(2026, 10, 21, 18);

describe.each(databases)('quotas of sub-tenants on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(EVENING);
  });
  afterAll(() => service.stop());

  const subTenant = async (quotas: Partial<Quotas>, by: TestClient = service.byKey) => {
    const { id, api_key } = await by.subTenants.createSubTenant({ body: { name: 'n', quotas } });
    return { id, key: api_key, byKey: service.by({ 'X-Svc-Key': api_key }) };
  };
  type Sub = Awaited<ReturnType<typeof subTenant>>;
  const usageOf = async ({ id }: Sub) =>
    (await service.byKey.subTenants.getSubTenant({ params: { sub_tenant_id: id } })).usage;
  const start = ({ byKey }: Sub, agent_name = 'a') =>
    byKey.recording.startRun({ body: { agent_name } });
  const record = ({ byKey }: Sub, run_id: string, tokens_in: number) =>
    byKey.recording.recordLlmCalls({
      params: { run_id },
      body: { calls: [{ model: 'gpt-4o', tokens_in, tokens_out: 0 }] },
    });
  const check = ({ byKey }: Sub, agent_name = 'a') =>
    byKey.evaluations.checkPolicy({ body: { agent_name } });
  const refused = (message: string) => ({ status: 429, message });

  test('of 50 concurrent starts exactly 10 succeed at a limit of 10, and checks are refused too', async () => {
    const one = await subTenant({ max_agent_runs_per_day: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => start(one)));
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    expect(reasons).toHaveLength(40);
    for (const reason of reasons)
      expect(reason).toMatchObject(refused('max_agent_runs_per_day: 10/10'));
    await expect(check(one)).rejects.toMatchObject(refused('max_agent_runs_per_day: 10/10'));
    expect(await usageOf(one)).toEqual({ agents: 1, tokens_today: 0, runs_today: 10 });
  });

  test('the response says when to retry, and then requests succeed again', async () => {
    const one = await subTenant({ max_agent_runs_per_day: 1 });
    await start(one);
    const answer = await fetch(`${service.urls.public}/api/v1/observe/runs/start/`, {
      method: 'POST',
      headers: { 'X-Svc-Key': one.key },
      body: JSON.stringify({ agent_name: 'a' }),
    });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      429,
      String(6 * 3600),
      { error: 'max_agent_runs_per_day: 1/1' },
    ]);
    service.setTime(EVENING + 6 * HOUR);
    await start(one);
    await expect(start(one)).rejects.toMatchObject({ status: 429 });
    service.setTime(EVENING);
  });

  test('a limit of the parent applies to it and all tenants below it together', async () => {
    const parent = await subTenant({ max_agent_runs_per_day: 4 });
    const children = [await subTenant({}, parent.byKey), await subTenant({}, parent.byKey)];
    const starting = [...children, ...children, parent, ...children].map((one) => start(one));
    const outcomes = await Promise.allSettled(starting);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await expect(start(parent)).rejects.toMatchObject(refused('max_agent_runs_per_day: 4/4'));
    expect((await usageOf(parent)).runs_today).toBe(4);
  });

  test('used up tokens refuse new runs and checks; running runs are recorded to their end', async () => {
    const one = await subTenant({ max_tokens_per_day: 100 });
    const { run_id } = await start(one);
    await record(one, run_id, 99);
    await check(one);
    await record(one, run_id, 51);
    await expect(start(one)).rejects.toMatchObject(refused('max_tokens_per_day: 150/100'));
    await expect(check(one)).rejects.toMatchObject(refused('max_tokens_per_day: 150/100'));
    expect(await record(one, run_id, 50)).toEqual({ status: 'ok', count: 1 });
    expect(await one.byKey.recording.completeRun({ params: { run_id }, body: {} })).toMatchObject({
      status: 'ok',
    });
    expect((await usageOf(one)).tokens_today).toBe(200);
  });

  test('no new agents are accepted above the limit; existing ones continue', async () => {
    const one = await subTenant({ max_agents: 2 });
    const names = Array.from({ length: 20 }, (_, i) => `agent ${i}`);
    const outcomes = await Promise.allSettled(names.map((name) => start(one, name)));
    const known = names.filter((_, i) => outcomes[i]?.status === 'fulfilled');
    const others = names.filter((name) => !known.includes(name));
    expect([known.length, await usageOf(one)]).toMatchObject([2, { agents: 2, runs_today: 2 }]);
    for (const name of known) {
      await check(one, name);
      await start(one, name);
    }
    await expect(check(one, others[0])).rejects.toMatchObject(refused('max_agents: 2/2'));
    await expect(start(one, others[0])).rejects.toMatchObject(refused('max_agents: 2/2'));
  });

  test('a quota that is raised, lowered or removed applies from the next start', async () => {
    const one = await subTenant({ max_agent_runs_per_day: 1 });
    const allow = (max_agent_runs_per_day: number | null) =>
      service.byKey.subTenants.updateSubTenant({
        params: { sub_tenant_id: one.id },
        body: { quotas: { max_agent_runs_per_day } },
      });
    await start(one);
    await expect(start(one)).rejects.toMatchObject({ status: 429 });
    await allow(2);
    await start(one);
    await allow(1);
    await expect(start(one)).rejects.toMatchObject(refused('max_agent_runs_per_day: 2/1'));
    await allow(null);
    await start(one);
  });

  test('a repeated start is not counted again', async () => {
    const one = await subTenant({ max_agent_runs_per_day: 1 });
    const body = { agent_name: 'a', batch_id: randomUUID() };
    const first = await one.byKey.recording.startRun({ body });
    expect(await one.byKey.recording.startRun({ body })).toEqual(first);
    expect((await usageOf(one)).runs_today).toBe(1);
  });

  const chat = (id: string, more: object = {}): TestSpan => ({
    id,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 1,
      ...more,
    },
  });
  const send = ({ byKey }: Sub, spans: TestSpan[], trace: string) => {
    service.setTime(START + HOUR);
    return byKey.otel.exportTraces({ body: requestOf(spans, { trace }) });
  };
  const rejected = (rejectedSpans: string, quota: string) => ({
    partialSuccess: {
      rejectedSpans,
      errorMessage: `${rejectedSpans} × quota ${quota} exceeded: no new run`,
    },
  });

  test('at a limit, a trace with a new run is rejected; traces of existing runs continue', async () => {
    const one = await subTenant({ max_agent_runs_per_day: 1, max_tokens_per_day: 20 });
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const;
    for (let time = 1; time <= 2; time += 1)
      expect(await send(one, [chat('x')], first)).toEqual({});
    const full = rejected('2', 'max_agent_runs_per_day');
    for (let time = 1; time <= 2; time += 1)
      expect(await send(one, [chat('x'), { id: 'http' }], second)).toEqual(full);
    expect(await usageOf(one)).toEqual({ agents: 1, tokens_today: 8, runs_today: 1 });
    expect(await send(one, [chat('y'), chat('z')], first)).toEqual({});
    expect(await usageOf(one)).toEqual({ agents: 1, tokens_today: 24, runs_today: 1 });
    await service.byKey.subTenants.updateSubTenant({
      params: { sub_tenant_id: one.id },
      body: { quotas: { max_agent_runs_per_day: 2 } },
    });
    expect(await send(one, [chat('x')], second)).toEqual(rejected('1', 'max_tokens_per_day'));
    await service.byKey.subTenants.updateSubTenant({
      params: { sub_tenant_id: one.id },
      body: { quotas: { max_tokens_per_day: null } },
    });
    expect(await send(one, [chat('x'), { id: 'http' }], second)).toEqual({});
    expect(await usageOf(one)).toEqual({ agents: 1, tokens_today: 32, runs_today: 2 });
    service.setTime(EVENING);
  });

  test('traces cannot add more agents than allowed, even within one request', async () => {
    const one = await subTenant({ max_agents: 2 });
    const traces = ['1', '2', '3', '2'].map((agent, index) =>
      requestOf([chat('x', { 'gen_ai.agent.name': `agent ${agent}` })], {
        trace: `${index + 1}`.repeat(32),
      }),
    );
    service.setTime(START + HOUR);
    const body = { resourceSpans: traces.flatMap(({ resourceSpans }) => resourceSpans ?? []) };
    expect(await one.byKey.otel.exportTraces({ body })).toEqual(rejected('1', 'max_agents'));
    expect(await usageOf(one)).toEqual({ agents: 2, tokens_today: 24, runs_today: 3 });
    service.setTime(EVENING);
  });

  test('a call that turns out to contain another one is not counted twice', async () => {
    const one = await subTenant({});
    const usage = { 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 1 };
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', ...usage };
    service.setTime(START + HOUR);
    const outer: TestSpan = { id: 'outer', attributes: chat };
    const inner: TestSpan = { id: 'inner', parent: 'outer', attributes: chat };
    for (const span of [outer, inner])
      await one.byKey.otel.exportTraces({ body: requestOf([span], { trace: 'c'.repeat(32) }) });
    expect(await usageOf(one)).toEqual({ agents: 1, tokens_today: 8, runs_today: 1 });
    service.setTime(EVENING);
  });

  test('quotas of a sub-tenant do not apply to its siblings or its parent', async () => {
    const parent = await subTenant({});
    const full = await subTenant({ max_agent_runs_per_day: 0, max_agents: 0 }, parent.byKey);
    const sibling = await subTenant({}, parent.byKey);
    await expect(start(full)).rejects.toMatchObject(refused('max_agent_runs_per_day: 0/0'));
    await start(sibling);
    await start(parent);
    await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
  });
});
