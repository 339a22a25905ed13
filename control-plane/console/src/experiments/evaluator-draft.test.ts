import { expect, test } from 'vitest';
import { evaluatorList } from '#contract/evaluators.ts';
import {
  evaluatorOf,
  evaluatorsProblem,
  evaluatorTypes,
  newEvaluator,
  withType,
} from './evaluator-draft.ts';

const first = newEvaluator([]);

test('a further evaluator has a name and a key of its own', () => {
  const second = newEvaluator([first]);
  const third = newEvaluator([first, second]);
  expect([first, second, third].map(({ key, name }) => [key, name])).toEqual([
    [0, 'Exact match'],
    [1, 'Exact match 2'],
    [2, 'Exact match 3'],
  ]);
});

test('another type brings its name along, but not over a chosen one', () => {
  expect(withType(first, 'regex', [])).toMatchObject({ type: 'regex', name: 'Regular expression' });
  expect(withType({ ...first, name: 'mine' }, 'regex', [])).toMatchObject({ name: 'mine' });
});

test.each(evaluatorTypes)('what is sent of %s is what the contract takes', (type) => {
  const draft = { ...withType(first, type, []), pattern: 'a', model: ' m ' };
  const { data, error } = evaluatorList.safeParse([evaluatorOf(draft)]);
  expect([data?.[0]?.type, error]).toEqual([type, undefined]);
});

test('a blank text to contain is none', () => {
  const draft = { ...withType(first, 'contains', []), text: '  ' };
  expect(evaluatorOf(draft)).toMatchObject({ text: null });
});

test('a schema is JSON', () => {
  const draft = withType(first, 'json_schema', []);
  expect(evaluatorOf(draft)).toMatchObject({ schema: { type: 'object' } });
  expect(evaluatorOf({ ...draft, schema: 'true' })).toMatchObject({ schema: true });
  expect(evaluatorsProblem([draft])).toBeUndefined();
  for (const schema of ['{', '[]', '"text"', ''])
    expect(evaluatorsProblem([{ ...draft, schema }])).toBe(
      'The schema of "JSON Schema" is not a JSON object.',
    );
});

test('two evaluators of one name are a problem', () => {
  expect(evaluatorsProblem([first, newEvaluator([first])])).toBeUndefined();
  expect(evaluatorsProblem([first, { ...first, name: ' Exact match ' }])).toBe(
    'Two evaluators are named "Exact match".',
  );
});
