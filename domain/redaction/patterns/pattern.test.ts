import { expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';

const refusalOf = (source: string) => {
  const compiled = compilePattern('X', source);
  return 'error' in compiled ? compiled.error : undefined;
};

test.each([
  'EMP-\\d{6}',
  '(?i)employee\\s+no',
  '\\b[A-Z]{2}\\d{6,8}\\b',
  '[\\pL ]+:',
  '^x',
  'é+',
  '{',
])('%s is accepted', (source) => {
  expect(refusalOf(source)).toBeUndefined();
});

test.each(['x*', '^', '$', '(?m)^', 'a|', '\\b', '\\B', 'a?\\b', '[a-z]*?', '(?:a*)+', 'Q?|x'])(
  '%s is refused, because it also matches the empty string',
  (source) => {
    expect(refusalOf(source)).toBe('matches the empty string');
  },
);

test.each([
  ['(', 'missing closing ): `(`'],
  ['[', 'missing closing ]: `[`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['(?=a)b', 'invalid or unsupported Perl syntax: `(?=`'],
  ['a{501}', 'repeats more than 500 times: use + or *'],
  ['\\pL{400}\\d{101}', 'repeats more than 500 times: use + or *'],
  ['((ab){30}){30}', 'is too complex: 3662 steps, at most 500'],
])('%s is refused: %s', (source, refusal) => {
  expect(refusalOf(source)).toBe(refusal);
});
