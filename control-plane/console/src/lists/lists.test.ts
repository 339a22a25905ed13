import { expect, test } from 'vitest';
import { shownColumns } from './columns.ts';
import { readSettings } from './list-settings.ts';
import { adjacentKey } from './use-list-keys.ts';
import { ariaSortOf, toggleSort } from './sort-order.ts';

const columns = [{ id: 'run' }, { id: 'cost' }, { id: 'user', hidden: true }];

test.each([
  [undefined, ['run', 'cost']],
  [['user'], ['run', 'user']],
  [
    ['user', 'gone'],
    ['run', 'user'],
  ],
  [[], ['run']],
])('with %j chosen, the displayed columns are %j', (chosen, shown) =>
  expect(shownColumns(columns, chosen).map(({ id }) => id)).toEqual(shown),
);

test.each([
  ['-started_at', { sort: 'cost', descends: true }, '-cost'],
  ['-cost', { sort: 'cost', descends: true }, 'cost'],
  ['cost', { sort: 'cost', descends: true }, '-cost'],
  ['-cost', { sort: 'model' }, 'model'],
  ['model', { sort: 'model' }, '-model'],
])('with the order %s, a click on %j sorts by %s', (current, column, sort) =>
  expect(toggleSort(current, column)).toBe(sort),
);

test('the header of the sorted column has aria-sort', () => {
  expect([
    ariaSortOf('-cost', 'cost'),
    ariaSortOf('cost', 'cost'),
    ariaSortOf('x', 'cost'),
  ]).toEqual(['descending', 'ascending', 'none']);
});

test.each([
  [undefined, 1, 'a'],
  ['gone', -1, 'a'],
  ['a', 1, 'b'],
  ['c', 1, 'c'],
  ['a', -1, 'a'],
  ['c', -1, 'b'],
] as const)('from row %s, a step of %s leads to row %s', (from, step, to) =>
  expect(adjacentKey(['a', 'b', 'c'], from, step)).toBe(to),
);

test.each([
  [null, {}],
  [
    '{"runs":{"columns":["cost"],"density":"compact"}}',
    { runs: { columns: ['cost'], density: 'compact' } },
  ],
  ['{"runs":{"columns":[1],"density":"huge"}}', { runs: { density: 'comfortable' } }],
  ['{"runs":null}', { runs: { density: 'comfortable' } }],
  ['[', {}],
])('%s is parsed as %j', (text, settings) => expect(readSettings(text)).toEqual(settings));
