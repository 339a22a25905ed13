import { expect, test } from 'vitest';
import { similarLabel } from './label-names.ts';

test.each([
  ['prodution', 'production'],
  ['Production', 'production'],
  ['prodcution', 'production'],
  ['stagin', 'staging'],
  ['stagging', 'staging'],
])('%s may be a misspelling of %s', (typed, meant) => {
  expect(similarLabel(typed, [meant])).toBe(meant);
});

test.each([
  ['production', ['production']],
  ['v2', ['v1']],
  ['release-12', ['release-11']],
  ['eu', ['us']],
  ['production-eu', ['production']],
  ['test', ['live']],
])('%s is not a misspelling of %j', (typed, existing) => {
  expect(similarLabel(typed, existing)).toBeUndefined();
});

test('common label names are suggested even before any label has them', () => {
  expect(similarLabel('prodution', [])).toBe('production');
});
