/** The figures of any period are equal to those of the lists. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-10T10:30:00.000Z');
const RUNS = 60;
const AGES_MS = 4 * 24 * HOUR_MS;

const isoTime = (ms: number): string => new Date(ms).toISOString();

describe.each(databases)('activity on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(NOW);
  });
  afterAll(() => service.stop());

  test('an empty tenant has only zeros and no rates', async () => {
    const { figures, previous_figures, course, period, ...rest } =
      await service.byOwner.overview.getActivity({ query: {} });
    expect(figures).toEqual(previous_figures);
    expect(figures).toMatchObject({ runs: 0, cost: 0, error_rate: null, duration_p95: null });
    expect(period).toEqual({ start: '2026-03-09T11:00:00.000Z', end: isoTime(NOW) });
    expect(course).toHaveLength(24);
    expect(rest).toMatchObject({
      previous: { start: '2026-03-08T11:30:00.000Z', end: '2026-03-09T11:00:00.000Z' },
      step_hours: 1,
      devices: { active: 0, with_problems: 0 },
      incidents: { open: 0 },
      approvals: { pending: 0 },
    });
  });

  test('the figures are equal to the lists for the same period, and the values over time add up to them', async () => {
    await recordRuns(service);
    const runs = await allRuns(service);
    const moment = fc.integer({ min: NOW - AGES_MS, max: NOW });
    await fc.assert(
      fc.asyncProperty(moment, moment, fc.boolean(), async (a, b, open) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const query = { start: isoTime(start), ...(!open && { end: isoTime(end) }) };
        const activity = await service.byOwner.overview.getActivity({ query });
        const length = (open ? NOW : end) - start;
        const before = { start: isoTime(start - length), end: isoTime(start) };
        expect(activity.figures).toMatchObject(await listed(service, runs, query));
        expect(activity.previous_figures).toMatchObject(await listed(service, runs, before));
        for (const name of ['runs', 'errors', 'calls', 'blocked', 'incidents'] as const)
          expect(activity.course.reduce((sum, step) => sum + step[name], 0)).toBe(
            activity.figures[name],
          );
      }),
      { numRuns: 25 },
    );
  });

  test('percentiles of durations are exact within the stated precision', async () => {
    const durations = (await allRuns(service))
      .filter(({ completed_at }) => completed_at !== null)
      .map(({ started_at, completed_at }) => Date.parse(completed_at!) - Date.parse(started_at))
      .toSorted((a, b) => a - b);
    const { figures, duration_precision } = await service.byOwner.overview.getActivity({
      query: { period: '30d' },
    });
    for (const [part, found] of [
      [0.5, figures.duration_p50],
      [0.95, figures.duration_p95],
    ] as const) {
      const exact = durations[Math.ceil(part * durations.length) - 1] ?? 0;
      expect(Math.abs(found! - exact)).toBeLessThanOrEqual(exact * duration_precision);
    }
  });

  test('a period that ends before it starts is rejected', async () => {
    const query = { start: isoTime(NOW), end: isoTime(NOW - 1) };
    await expect(service.byOwner.overview.getActivity({ query })).rejects.toMatchObject({
      status: 400,
    });
  });
});

/**
 * Records runs over four days, some on full hours, every fifth with an error, every tenth running.
 */
async function recordRuns({ byKey: { recording, policies, evaluations } }: TestControlPlane) {
  for (let at = 0; at < RUNS; at += 1) {
    const age = at % 7 === 0 ? (at + 1) * HOUR_MS - HOUR_MS / 2 : Math.floor((AGES_MS / RUNS) * at);
    const started = NOW - age;
    const { run_id } = await recording.startRun({
      body: { agent_name: `agent-${at % 3}`, started_at: isoTime(started) },
    });
    const params = { run_id };
    const call = { model: 'm', tokens_in: 10 + at, tokens_out: 1, cost: at / 8 };
    const created_at = isoTime(started + 1000);
    await recording.recordLlmCalls({ params, body: { calls: [{ ...call, created_at }] } });
    if (at % 10 === 0) continue;
    const completed_at = isoTime(started + 3 ** (at % 14));
    const status = at % 5 === 0 ? 'error' : 'success';
    await recording.completeRun({ params, body: { status, completed_at } });
  }
  await policies.createPolicy({
    body: { name: 'One an hour', category: 'rate-limit', rules: { max_per_hour: 1 } },
  });
  for (let check = 0; check < 3; check += 1)
    await evaluations.checkPolicy({ body: { agent_name: 'agent-0' } });
}

async function allRuns({ byOwner }: TestControlPlane) {
  return (await byOwner.runs.listRuns({ query: { limit: 100 } })).results;
}

interface Range {
  start: string;
  end?: string;
}

type Listed = Awaited<ReturnType<typeof allRuns>>;

/** Computes the same figures from the lists. */
async function listed({ byOwner }: TestControlPlane, all: Listed, range: Range) {
  const runs = all.filter(
    ({ started_at }) => started_at >= range.start && (!range.end || started_at < range.end),
  );
  const errors = runs.filter(({ status }) => status === 'error').length;
  const running = runs.filter(({ status }) => status === 'running').length;
  const { aggregates } = await byOwner.llmCalls.listLlmCalls({ query: { ...range, limit: 1 } });
  const incidents = await byOwner.incidents.listIncidents({ query: { ...range, limit: 1 } });
  const blocked = await byOwner.incidents.listIncidents({
    query: { ...range, action: 'block', limit: 1 },
  });
  return {
    runs: runs.length,
    errors,
    running,
    error_rate: runs.length > running ? errors / (runs.length - running) : null,
    calls: aggregates.total_calls,
    tokens: aggregates.total_tokens,
    cost: aggregates.total_cost,
    incidents: incidents.count,
    blocked: blocked.count,
  };
}
