import { expect, test } from 'vitest';
import { continuesText, offsetOf, withChanges } from './use-filters.ts';

test.each([
  ['search=a&offset=50', { search: 'b' }, 'search=b'],
  ['search=a&offset=50', { offset: '100' }, 'search=a&offset=100'],
  ['search=a&tab=apps', { search: '' }, 'tab=apps'],
  ['', { level: 'device', scope: '' }, 'level=device'],
  ['model=a&sort=cost', { model: ['b', 'c'] }, 'sort=cost&model=b&model=c'],
  ['model=a&model=b', { model: [] }, ''],
])('%j with the changes %j becomes %j', (current, changes, next) => {
  expect(withChanges(new URLSearchParams(current), changes).toString()).toBe(next);
});

test.each([
  ['', 0],
  ['50', 50],
  ['-1', 0],
  ['1.5', 0],
  ['x', 0],
])('the offset %j gives %s', (text, offset) => expect(offsetOf({ get: () => text })).toBe(offset));

test.each([
  ['search=re', { search: 'red' }, true],
  ['search=red', { search: 're' }, true],
  ['search=red', { search: 'blue' }, false],
  ['', { search: 'red' }, false],
  ['search=red', { search: '' }, false],
  ['search=red', { search: 'redder', agent: 'a' }, false],
  ['model=a', { model: ['a', 'b'] }, false],
])('%j with the changes %j continues typing: %s', (current, changes, continues) =>
  expect(continuesText(new URLSearchParams(current), changes)).toBe(continues),
);
