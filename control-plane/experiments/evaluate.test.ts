import { expect, test } from 'vitest';
import type { Evaluator } from '#contract/evaluators.ts';
import type { Context } from '../context.ts';
import { evaluateAll } from './evaluate.ts';

const requester = { tenantId: 't', signal: new AbortController().signal };

const evaluated = (evaluators: readonly Evaluator[], output: string) =>
  evaluateAll({} as Context, evaluators, { input: {}, expected: undefined, output }, requester);

const schemas = (count: number, schema: boolean | Record<string, unknown>): Evaluator[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'json_schema', name: `e${at}`, schema }));

test('the schemas of one output share one budget', async () => {
  const evaluators = schemas(10, { items: { minimum: 0 } });
  const evaluations = await evaluated(evaluators, JSON.stringify(Array(50_000).fill(1)));
  const errors = evaluations.map(({ score }) => score.error);
  expect([evaluations[0]?.score.value, evaluations[0]?.score.name]).toEqual([1, 'e0']);
  expect(errors.at(-1)).toMatch(/^the schemas and the output together take too many steps/);
  // Another output has a separate budget.
  expect((await evaluated(evaluators, '[1]')).every(({ score }) => score.passed === 1)).toBe(true);
});

test('an aborted validation does not reduce the depth left for others', async () => {
  const evaluators = [...schemas(1, { $ref: '#' }), ...schemas(1, { type: 'array' })];
  const evaluations = await evaluated(evaluators, '[1]');
  expect(evaluations.map(({ score }) => score.passed)).toEqual([null, 1]);
});

test('other work can run between evaluators', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await evaluated(schemas(10, true), '1');
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(10);
});
