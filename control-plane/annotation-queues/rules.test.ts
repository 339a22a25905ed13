import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreConfig, type GivenScore, type ScoreConfig } from '#contract/annotation-queues.ts';
import { valueColumns } from '../scores/rules.ts';
import { givenValueOf, problemOfScores, progressOf } from './rules.ts';

const quality = scoreConfig.parse({ name: 'quality', data_type: 'numeric', min: 1, max: 5 });
const polite = scoreConfig.parse({ name: 'polite', data_type: 'boolean', required: false });
const tone = scoreConfig.parse({
  name: 'tone',
  data_type: 'categorical',
  values: ['warm', 'cold'],
  required: false,
});
const configs = [quality, polite, tone];
const good = { name: 'quality', value: 3 };

test.each<[string, GivenScore[], string | undefined]>([
  ['only what is required', [good], undefined],
  [
    'all of them',
    [good, { name: 'polite', value: false }, { name: 'tone', value: 'cold' }],
    undefined,
  ],
  ['the least number', [{ name: 'quality', value: 1 }], undefined],
  ['the greatest number', [{ name: 'quality', value: 5 }], undefined],
  [
    'a number below',
    [{ name: 'quality', value: 0.9 }],
    '"quality": expected a number between 1 and 5',
  ],
  [
    'a number above',
    [{ name: 'quality', value: 5.1 }],
    '"quality": expected a number between 1 and 5',
  ],
  [
    'a text for a number',
    [{ name: 'quality', value: '3' }],
    '"quality": expected a number between 1 and 5',
  ],
  [
    'a number for a boolean',
    [good, { name: 'polite', value: 1 }],
    '"polite": expected true or false',
  ],
  [
    'another category',
    [good, { name: 'tone', value: 'Warm' }],
    '"tone": expected one of "warm", "cold"',
  ],
  [
    'a boolean for a category',
    [good, { name: 'tone', value: true }],
    '"tone": expected one of "warm", "cold"',
  ],
  ['one twice', [good, good], '"quality" is given twice'],
  ['an unknown one', [good, { name: 'speed', value: 1 }], 'the queue has no score named "speed"'],
  ['without a required one', [{ name: 'polite', value: true }], '"quality" is required'],
])('%s', (_what, given, expected) => {
  expect(problemOfScores(configs, given)).toBe(expected && `scores: ${expected}`);
});

test.each([
  [{ min: 1 }, 0, 'expected a number of at least 1'],
  [{ max: 1 }, 2, 'expected a number of at most 1'],
  [{}, 'x', 'expected a number'],
])('the bounds %j exclude %j', (bounds, value, expected) => {
  const config = scoreConfig.parse({ name: 'n', data_type: 'numeric', ...bounds });
  expect(problemOfScores([config], [{ name: 'n', value }])).toBe(`scores: "n": ${expected}`);
});

describe('a stored value', () => {
  const given = fc.oneof(
    fc.record({ data_type: fc.constant('numeric' as const), value: fc.double({ noNaN: true }) }),
    fc.record({ data_type: fc.constant('boolean' as const), value: fc.boolean() }),
    fc.record({ data_type: fc.constant('categorical' as const), value: fc.string() }),
  );
  test('is returned as it was given', () => {
    fc.assert(
      fc.property(given, ({ data_type, value }) => {
        expect(givenValueOf({ data_type, ...valueColumns({ data_type, value }) })).toBe(value);
      }),
    );
  });
});

test('a status without items counts as 0', () => {
  expect(progressOf([{ status: 'skipped', count: 2 }])).toEqual({
    pending: 0,
    completed: 0,
    skipped: 2,
  });
});

test.each<[string, unknown, boolean]>([
  ['numeric without bounds', { name: 'n', data_type: 'numeric' }, true],
  ['categorical without values', { name: 'n', data_type: 'categorical', values: [] }, false],
  ['numeric with values', { name: 'n', data_type: 'numeric', values: ['a'] }, false],
  ['a name of spaces', { name: '  ', data_type: 'boolean' }, false],
])('whether a configuration is valid: %s', (_what, config, isValid) => {
  expect(scoreConfig.safeParse(config satisfies unknown as ScoreConfig).success).toBe(isValid);
});
