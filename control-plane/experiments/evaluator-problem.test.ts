import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import type { Evaluator } from '#contract/evaluators.ts';
import { evaluatorProblem } from './evaluator-problem.ts';

const e = { name: 'e' };
const regex = (pattern: string): Evaluator => ({ type: 'regex', ...e, pattern });
const schema = (schema: Record<string, unknown>): Evaluator => ({
  type: 'json_schema',
  ...e,
  schema,
});
const judge = (prompt: string): Evaluator => ({
  type: 'llm_judge',
  ...e,
  prompt,
  model: 'm',
  scale: 'score',
  temperature: 0,
  max_tokens: 100,
});

test.each<[string, Evaluator, string | undefined]>([
  ['exact match', { type: 'exact_match', ...e, ignore_case: false }, undefined],
  ['a pattern', regex('a+'), undefined],
  ['no pattern', regex('['), 'evaluators: the pattern of "e" missing closing ]: `[`'],
  ['a pattern that matches the empty output', regex('^(yes)?$'), undefined],
  [
    'a pattern that is too large',
    regex('a{501}'),
    'evaluators: the pattern of "e" repeats more than 500 times: use + or *',
  ],
  ['a schema', schema({ type: 'object', additionalProperties: false }), undefined],
  [
    'a schema that is none',
    schema({ properties: { a: { minimum: 'x' } } }),
    'evaluators: the schema of "e": /properties/a/minimum: expected a number',
  ],
  ['a judge', judge('{{input}} {{ output }} {{expected}}'), undefined],
  [
    'a judge without the output',
    judge('Good? {{input}}'),
    'evaluators: the prompt of "e" does not contain {{output}}, the text to be judged',
  ],
  [
    'a judge with another placeholder',
    judge('{{output}} {{outptu}}'),
    'evaluators: the prompt of "e" has the unknown placeholder {{outptu}}: expected {{input}}, {{output}} or {{expected}}',
  ],
])('before the start: %s', (_what, evaluator, problem) => {
  expect(evaluatorProblem([evaluator])).toBe(problem);
});

test('the size of all patterns together is limited', () => {
  const large = regex('a{450}');
  expect(evaluatorProblem([large, large, large, large])).toBeUndefined();
  const inSchema = schema({ pattern: 'a{450}' });
  expect(evaluatorProblem([large, large, large, large, inSchema])).toMatch(/too complex/);
  expect(evaluatorProblem([large, large, large, large, large])).toMatch(
    'evaluators: all patterns together are too complex: they have more than 2000 steps',
  );
});

test('if the patterns are too large together, not all of them are compiled', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`(a{450})${at}`, true]));
  expect(evaluatorProblem([regex('a{450}'), schema({ patternProperties: many })])).toBe(
    'evaluators: the schema of "e": /patternProperties: all patterns together are too complex: they have more than 2000 steps',
  );
  expect(compile).toHaveBeenCalledTimes(5);
  compile.mockClear();
  expect(evaluatorProblem(Array.from({ length: 10 }, () => regex('a{450}')))).toMatch(/complex/);
  expect(compile).toHaveBeenCalledTimes(5);
  compile.mockRestore();
});

test('a pattern counts once, although it is used to test members twice', () => {
  const patternProperties = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((letter) => [`${letter}{300}`, true]),
  );
  expect(
    evaluatorProblem([schema({ patternProperties, additionalProperties: false })]),
  ).toBeUndefined();
});
