import { expect, test } from 'vitest';
import { errorWithin, readFieldErrors } from './field-errors.ts';

const isField = (path: string) => /^(name|rules\.\w+|scope\.agents)/.test(path);

test.each([
  ['name: expected a name', { name: 'expected a name' }, ''],
  [
    'rules.max_per_minute: expected number; name: expected a name',
    { 'rules.max_per_minute': 'expected number', name: 'expected a name' },
    '',
  ],
  // The message itself contains a semicolon and names that look like paths.
  [
    'rules.foo: unknown rule; rate-limit has max_per_minute, max_per_hour',
    { 'rules.foo': 'unknown rule; rate-limit has max_per_minute, max_per_hour' },
    '',
  ],
  ['policy.rules.a: expected number', { 'rules.a': 'expected number' }, ''],
  ['the policy was changed meanwhile', {}, 'the policy was changed meanwhile'],
  ['days: expected 1 to 90; and 3 more', {}, 'days: expected 1 to 90; and 3 more'],
])('%s', (line, byPath, other) => {
  expect(readFieldErrors(line, isField)).toEqual({ byPath, other });
});

test('an error in a list names the line', () => {
  const errors = readFieldErrors('scope.agents[1]: expected a name; name: missing', isField);
  expect(errorWithin(errors, 'scope.agents')).toBe('line 2: expected a name');
  expect(errorWithin(errors, 'name')).toBe('missing');
  expect(errorWithin(errors, 'scope')).toBeUndefined();
});
