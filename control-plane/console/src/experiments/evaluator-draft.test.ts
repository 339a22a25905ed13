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

test('an additional evaluator has a unique name and key', () => {
  const second = newEvaluator([first]);
  const third = newEvaluator([first, second]);
  expect([first, second, third].map(({ key, name }) => [key, name])).toEqual([
    [0, 'Exact match'],
    [1, 'Exact match 2'],
    [2, 'Exact match 3'],
  ]);
});

test('changing the type changes the name, unless the user has typed one', () => {
  expect(withType(first, 'regex', [])).toMatchObject({ type: 'regex', name: 'Regular expression' });
  expect(withType({ ...first, name: 'mine' }, 'regex', [])).toMatchObject({ name: 'mine' });
});

test.each(evaluatorTypes)('the request for %s matches the contract', (type) => {
  const draft = { ...withType(first, type, []), pattern: 'a', model: ' m ' };
  const { data, error } = evaluatorList.safeParse([evaluatorOf(draft)]);
  expect([data?.[0]?.type, error]).toEqual([type, undefined]);
});

test('a blank text of "contains" is sent as null', () => {
  const draft = { ...withType(first, 'contains', []), text: '  ' };
  expect(evaluatorOf(draft)).toMatchObject({ text: null });
});

test('a schema must be JSON', () => {
  const draft = withType(first, 'json_schema', []);
  expect(evaluatorOf(draft)).toMatchObject({ schema: { type: 'object' } });
  expect(evaluatorOf({ ...draft, schema: 'true' })).toMatchObject({ schema: true });
  expect(evaluatorsProblem([draft])).toBeUndefined();
  for (const schema of ['{', '[]', '"text"', ''])
    expect(evaluatorsProblem([{ ...draft, schema }])).toBe(
      'The schema of "JSON Schema" is not a JSON object.',
    );
});

test('two evaluators with the same name are a problem', () => {
  expect(evaluatorsProblem([first, newEvaluator([first])])).toBeUndefined();
  expect(evaluatorsProblem([first, { ...first, name: ' Exact match ' }])).toBe(
    'Two evaluators are named "Exact match".',
  );
});
