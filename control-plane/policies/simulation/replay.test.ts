import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordedRun } from '#test/support/recorded-run.ts';
import { categoryOf } from '../categories/index.ts';
import { type Category, category, type Situation } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import { stoppedByRateLimit } from '#test/support/rate-limit-reference.ts';
import type { RecordedRun, RecordedTelemetry } from './recorded-run.ts';
import { replay } from './replay.ts';
import { createUsageModel, type EndUserLimit } from './usage-model.ts';

async function* each<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

const policyOf = (
  of: Category,
  { rules = {}, scope = {} }: { rules?: object; scope?: Policy['scope'] } = {},
): Policy => ({
  id: 'pol_1',
  name: 'one',
  category: of,
  rules: of.rules.parse(rules),
  scope,
  priority: 100,
});

const simulate = async (
  policy: Policy,
  runs: readonly RecordedRun[],
  limits: readonly EndUserLimit[] = [],
) => {
  const { tally, ...rest } = await replay(policy, each(runs), createUsageModel(limits));
  return { ...rest, ...tally.result() };
};

const telemetry = (fields: Partial<RecordedTelemetry>): RecordedTelemetry => ({
  lastAt: 0,
  models: [],
  calls: [],
  tools: [],
  stepCount: 0,
  toolCallCount: 0,
  retryCount: 0,
  textLength: 0,
  ...fields,
});

const T = Date.UTC(2026, 2, 1, 11, 50);
const S = 1000;

/** Creates a category that records its inputs and returns a fixed action per phase. */
function recordingCategory(answers: Partial<Record<Situation['phase'], 'block' | 'warn'>> = {}) {
  const inputs: string[] = [];
  const of = category<object, number>({
    name: 'recordingCategory',
    summary: '',
    rules: z.strictObject({}),
    phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
    reads: ['today'],
    stateOf: () => 'all',
    evaluate({ situation: { phase, now, run, agent }, facts, remembered, state }) {
      const at = `${agent} ${phase} ${(now - T) / S}`;
      inputs.push(
        `${at} ${run?.status ?? '-'} ${facts.today.tokens} ${(remembered?.it as string | undefined) ?? '-'}`,
      );
      const action = answers[phase] ?? 'allow';
      return {
        action,
        reason: action === 'allow' ? '' : `${phase} is bad`,
        state: (state ?? 0) + 1,
        ...(phase === 'before_workflow' && { remember: { it: agent } }),
      };
    },
  });
  return { of, inputs };
}

const two = [
  recordedRun({
    id: 1,
    started_at: T,
    completed_at: T + 30 * S,
    tokens: 5,
    telemetry: telemetry({ lastAt: T + 20 * S }),
  }),
  recordedRun({
    id: 2,
    agent_name: 'b',
    status: 'error',
    started_at: T + 10 * S,
    completed_at: T + 15 * S,
    tokens: 7,
    telemetry: telemetry({ lastAt: T + 12 * S }),
  }),
];

test('every phase of the runs is evaluated, in order of time', async () => {
  const { of, inputs } = recordingCategory();
  const result = await simulate(policyOf(of), two);
  expect(inputs).toEqual([
    'a before_workflow 0 - 0 -',
    'b before_workflow 10 - 0 -',
    'b mid_execution 12 running 7 b',
    'b on_failure 15 error 7 b',
    'a mid_execution 20 running 12 a',
    'a after_workflow 30 success 12 a',
  ]);
  expect(result).toMatchObject({
    examined: 2,
    lastStart: T + 10 * S,
    runs: 2,
    not_allowed: 0,
    by_action: { allow: 2, warn: 0, block: 0 },
    examples: [],
  });
});

test('a blocked run has no later phase, and its usage does not count', async () => {
  const { of, inputs } = recordingCategory({ before_workflow: 'block' });
  const result = await simulate(policyOf(of), two);
  expect(inputs).toEqual(['a before_workflow 0 - 0 -', 'b before_workflow 10 - 0 -']);
  expect(result).toMatchObject({ runs: 2, not_allowed: 2, would_stop: 2, would_interrupt: 0 });
});

test('an interrupted run ends at the interruption', async () => {
  const { of, inputs } = recordingCategory({ mid_execution: 'block', on_failure: 'warn' });
  const result = await simulate(policyOf(of), two.slice(0, 1));
  expect(inputs).toEqual([
    'a before_workflow 0 - 0 -',
    'a mid_execution 20 running 5 a',
    'a on_failure 20 success 5 -',
  ]);
  expect(result).toMatchObject({
    would_stop: 0,
    would_interrupt: 1,
    by_action: { allow: 0, warn: 0, block: 1 },
    examples: [
      { run_id: 1, at: T + 20 * S, phase: 'mid_execution', reason: 'mid_execution is bad' },
    ],
  });
});

test('a run counts once, by its strictest action; examples and agents are limited', async () => {
  const { of } = recordingCategory({ mid_execution: 'warn', after_workflow: 'warn' });
  const runs = Array.from({ length: 30 }, (_, id) =>
    recordedRun({
      id,
      agent_name: `agent ${id}`,
      started_at: T + id * S,
      completed_at: T + id * S,
      ...(id >= 5 && { telemetry: telemetry({ lastAt: T + id * S }) }),
    }),
  );
  const result = await simulate(policyOf(of), runs);
  expect(result).toMatchObject({ runs: 30, not_allowed: 30, by_action: { warn: 30, allow: 0 } });
  expect([result.examples.length, result.by_agent.length]).toEqual([20, 20]);
  expect(result.examples[0]).toMatchObject({ run_id: 0, phase: 'after_workflow' });
});

test('runs outside the scope are not evaluated, but their usage counts', async () => {
  const { of, inputs } = recordingCategory();
  const result = await simulate(policyOf(of, { scope: { workflows: ['w*'] } }), [
    ...two,
    recordedRun({ id: 3, workflow_name: 'write', started_at: T + 60 * S }),
  ]);
  expect(inputs).toEqual(['a before_workflow 60 - 12 -']);
  expect(result).toMatchObject({ examined: 3, runs: 1 });
});

test('usage counts for the policy’s agents, per UTC day', async () => {
  const { of, inputs } = recordingCategory();
  const midnight = Date.UTC(2026, 2, 2);
  await simulate(policyOf(of, { scope: { agents: ['a'] } }), [
    ...two,
    recordedRun({ id: 3, started_at: midnight - 1 }),
    recordedRun({ id: 4, started_at: midnight }),
  ]);
  expect(inputs.slice(-2).map((line) => line.split(' ').at(-2))).toEqual(['5', '0']);
});

test('end-user limits use the monthly cost', async () => {
  const inputs: unknown[] = [];
  const of = category({
    name: 'recordingCategory',
    summary: '',
    rules: z.strictObject({}),
    phases: ['before_workflow'],
    reads: ['endUser'],
    evaluate({ facts }) {
      inputs.push(facts.endUser);
      return null;
    },
  });
  const limit = (kind: 'user' | 'group', id: string, requests_per_minute: number | null) => ({
    kind,
    id,
    monthly_budget: kind === 'group' ? 9 : null,
    requests_per_minute,
  });
  const run = { cost: 2, telemetry: telemetry({ lastAt: T }), user_group: 'g' };
  await simulate(
    policyOf(of),
    [
      recordedRun({ ...run, id: 1, started_at: T, user_id: 'u' }),
      recordedRun({ ...run, id: 2, started_at: T + 1, user_id: 'x', end_user_id: 'u' }),
      recordedRun({ ...run, id: 3, started_at: T + 2, user_id: 'u', user_group: null }),
      recordedRun({ ...run, id: 4, started_at: T + 3, user_id: 'y', user_group: null }),
      recordedRun({ ...run, id: 5, started_at: Date.UTC(2026, 3, 1), user_id: 'u' }),
    ],
    [limit('user', 'u', 30), limit('group', 'g', 20)],
  );
  const fields = { id: 'u', monthlyBudget: 9, requestsPerMinute: 20 };
  expect(inputs).toEqual([
    { ...fields, monthCost: 0 },
    { ...fields, monthCost: 2 },
    { id: 'u', monthlyBudget: null, requestsPerMinute: 30, monthCost: 4 },
    null,
    { ...fields, monthCost: 0 },
  ]);
});

test('operations warns about late runs', async () => {
  const rules = { timeout_seconds: 25 };
  const operations = categoryOf('operations') as Category;
  const result = await simulate(policyOf(operations, { rules }), two);
  expect(result.examples).toEqual([
    {
      run_id: 1,
      agent_name: 'a',
      workflow_name: 'default',
      at: T + 30 * S,
      phase: 'after_workflow',
      action: 'warn',
      reason: 'Run exceeded timeout (30s/25s)',
    },
  ]);
});

test('a rate limit blocks the same runs as a naive reference', async () => {
  const rateLimit = categoryOf('rate-limit') as Category;
  const limits = fc.record(
    {
      max_per_minute: fc.integer({ min: 1, max: 6 }),
      max_per_hour: fc.integer({ min: 1, max: 12 }),
      max_per_day: fc.integer({ min: 1, max: 20 }),
      max_concurrent: fc.integer({ min: 1, max: 4 }),
      burst_limit: fc.integer({ min: 1, max: 4 }),
      burst_window_seconds: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: ['max_concurrent', 'burst_window_seconds'] },
  );
  const run = fc.record({
    agent_name: fc.constantFrom('a', 'b'),
    pause: fc.integer({ min: 0, max: 90 }),
    lasts: fc.option(fc.integer({ min: 0, max: 400 })),
  });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(run, { maxLength: 60 }), async (rules, drawn) => {
      let started_at = T;
      const runs = drawn.map(({ agent_name, pause, lasts }, index) => {
        started_at += pause * S;
        const completed_at = lasts === null ? null : started_at + lasts * S;
        return recordedRun({ id: index + 1, agent_name, started_at, completed_at });
      });
      const result = await simulate(policyOf(rateLimit, { rules }), runs);
      const stopped = stoppedByRateLimit(rules, runs);
      expect([result.runs, result.would_stop]).toEqual([runs.length, stopped.length]);
      expect(result.examples.map(({ run_id }) => run_id)).toEqual(stopped.slice(0, 20));
    }),
    { numRuns: 300 },
  );
});
