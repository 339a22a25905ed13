import { expect, test } from 'vitest';
import { isUnfiltered, searchOf, viewQueryOf } from './view-query.ts';

test.each([
  ['?status=error&agent=a', 'agent=a&status=error'],
  ['agent=a&offset=50&open=7', 'agent=a'],
  ['model=b&model=a', 'model=b&model=a'],
  ['?open=7', ''],
  ['?tab=installations&kind=cli', 'kind=cli'],
])('the view query of %j is %j', (search, query) => expect(viewQueryOf(search)).toBe(query));

test.each([
  ['kind=cli', '?agent=a&offset=50', '?kind=cli'],
  ['kind=cli', '?tab=installations&user=bob', '?kind=cli&tab=installations'],
  ['', '?agent=a', ''],
])('the view %j, opened from %j, has the URL query %j', (query, current, search) =>
  expect(searchOf(query, current)).toBe(search),
);

test.each([
  ['', true],
  ['?tab=rules', true],
  ['?open=7', false],
  ['?tab=rules&kind=cli', false],
])('%j is unfiltered: %s', (search, is) => expect(isUnfiltered(search)).toBe(is));
