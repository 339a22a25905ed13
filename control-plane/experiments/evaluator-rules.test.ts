import { describe, expect, test } from 'vitest';
import { evaluateText, type TextEvaluator } from './evaluator-rules.ts';
import { newBudget } from './json-schema/budget.ts';

const e = { name: 'e' };
const exact: TextEvaluator = { type: 'exact_match', ...e, ignore_case: false };
const contains: TextEvaluator = { type: 'contains', ...e, ignore_case: false };
const json: TextEvaluator = { type: 'json_equal', ...e };
const regex = (pattern: string): TextEvaluator => ({ type: 'regex', ...e, pattern });
const schema = (schema: Record<string, unknown>): TextEvaluator => ({
  type: 'json_schema',
  ...e,
  schema,
});
const inAnyCase = <E extends TextEvaluator>(evaluator: E) => ({ ...evaluator, ignore_case: true });

describe('an evaluator passes', () => {
  test.each<[string, TextEvaluator, string, unknown]>([
    ['the expected text', exact, 'Paris', 'Paris'],
    ['white space around it', exact, ' Paris\n', 'Paris'],
    ['another case, if it is ignored', inAnyCase(exact), 'PARIS', 'paris'],
    ['the JSON of expected JSON', exact, '{"a":1}', { a: 1 }],
    ['the expected text within the output', contains, 'It is Paris.', 'Paris'],
    ['a text of its own', { ...contains, text: 'is' }, 'It is Paris.', undefined],
    ['another case of it', inAnyCase({ ...contains, text: 'IS' }), 'It is Paris.', undefined],
    ['a pattern somewhere', regex('P[a-z]+s'), 'It is Paris.', undefined],
    ['an empty output that a pattern matches', regex('^(yes)?$'), '', undefined],
    ['an anchored pattern', regex('^\\d{4}$'), '2024', undefined],
    [
      'JSON with its members in another order',
      json,
      '{"b":[1,{"d":2,"c":1}],"a":null}',
      {
        a: null,
        b: [1, { c: 1, d: 2 }],
      },
    ],
    ['JSON that is expected as text', json, '[1, 2]', '[1,2]'],
    ['numbers of the same value', json, '1.0', 1],
    ['JSON that is valid', schema({ required: ['a'] }), ' {"a":1}\n', undefined],
  ])('%s', (_what, evaluator, output, expected) => {
    expect(evaluateText(evaluator, { output, expected }, newBudget())).toEqual({
      value: 1,
      passed: true,
      reason: null,
      error: null,
    });
  });
});

describe('an evaluator fails', () => {
  test.each<[string, TextEvaluator, string, unknown, string | null]>([
    ['another text', exact, 'Rome', 'Paris', null],
    ['more than the expected text', exact, 'Paris.', 'Paris', null],
    ['another case', exact, 'paris', 'Paris', null],
    ['an output without the text', contains, 'Rome', 'Paris', null],
    ['an output that a pattern does not match', regex('^\\d+$'), '12a', undefined, null],
    ['an array in another order', json, '[2,1]', [1, 2], null],
    ['a number as text', json, '"1"', 1, null],
    ['an output that is not JSON', json, 'Paris', { a: 1 }, 'the output is not JSON'],
    ['JSON after other text', json, 'Here: {}', {}, 'the output is not JSON'],
    ['no JSON for a schema', schema({}), '```{}```', undefined, 'the output is not JSON'],
    [
      'JSON that is not valid',
      schema({ properties: { a: { type: 'string' } } }),
      '{"a":1}',
      undefined,
      '/a: expected the type string',
    ],
  ])('%s', (_what, evaluator, output, expected, reason) => {
    expect(evaluateText(evaluator, { output, expected }, newBudget())).toEqual({
      value: 0,
      passed: false,
      reason,
      error: null,
    });
  });
});

describe('an evaluator has an error and no score', () => {
  const nothing = 'the item has no expected output';
  test.each<[string, TextEvaluator, string, unknown, string | RegExp]>([
    ['exact_match without an expected output', exact, '', undefined, nothing],
    ['contains without one, and without a text', contains, '', undefined, nothing],
    ['contains with a blank expected output', contains, 'Paris', ' \n', /^the text .* is blank$/],
    ['contains with a blank text', { ...contains, text: ' ' }, 'Paris', 'Rome', /is blank$/],
    ['json_equal without one', json, '{}', undefined, nothing],
    ['json_equal with a text that is no JSON', json, '{}', 'Paris', /expected output is not JSON/],
    ['a pattern that is none', regex('('), '', undefined, /^the pattern missing closing/],
    [
      'an output that is long for a large pattern',
      regex('a{450}'),
      'a'.repeat(20_000),
      undefined,
      /^the output has 20000 characters: the pattern is matched with at most 1\d{4}$/,
    ],
    ['a schema that is none', schema({ type: 'x' }), '{}', undefined, /^\/type: unknown type "x"$/],
    ['a schema without end', schema({ $ref: '#' }), '{}', undefined, /refers to itself too often/],
    [
      'an output that is too long to validate',
      schema({}),
      `"${'x'.repeat(1_000_000)}"`,
      undefined,
      /^the output has 1000002 characters/,
    ],
    [
      'JSON that is nested too deeply to validate',
      schema({}),
      `${'['.repeat(101)}${']'.repeat(101)}`,
      undefined,
      /more than 100 levels/,
    ],
    ['a number that is out of range', json, '1e400', null, /a number that is out of range$/],
    ['such a number for a schema', schema({ const: null }), '1e400', undefined, /out of range$/],
    [
      'JSON that is nested too deeply',
      json,
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      {},
      /nested too deeply/,
    ],
  ])('%s', (_what, evaluator, output, expected, error) => {
    expect(evaluateText(evaluator, { output, expected }, newBudget())).toEqual({
      value: null,
      passed: null,
      reason: null,
      error: expect.stringMatching(error) as string,
    });
  });
});

test('a pattern is matched in linear time', () => {
  const output = `${'a'.repeat(100_000)}!`;
  const verdict = evaluateText(regex('^(a+)+$'), { output, expected: undefined }, newBudget());
  expect(verdict.passed).toBe(false);
});
