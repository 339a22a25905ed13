import { expect, test } from 'vitest';
import { kindOfProblem, problemsByKind } from './problem-kinds.ts';

test.each([
  ['managed preferences: /x: no such file yet', 'setup'],
  ['control plane: cannot be reached', 'network'],
  ['enroll: 401 unauthorized', 'identity'],
  ['capture spool: a report could not be stored: ENOSPC', 'storage'],
  ['capture (transparent): not permitted', 'capturing'],
  ['flows: not permitted', 'observing'],
  ['something new: broken', 'other'],
  ['constructor: broken', 'other'],
  ['', 'other'],
])('%s is of kind %s', (line, kind) => {
  expect(kindOfProblem(line)).toBe(kind);
});

test('lines of one kind are grouped', () => {
  const lines = ['enroll: a', 'flows: b', 'renewal: c'];
  expect(problemsByKind(lines)).toEqual([
    ['identity', ['enroll: a', 'renewal: c']],
    ['observing', ['flows: b']],
  ]);
});
