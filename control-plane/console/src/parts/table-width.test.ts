import { expect, test } from 'vitest';
import { minWidthOf } from './table-width.ts';

test.each([
  [[{ width: 100 }, { width: 80 }], 180],
  // The first column identifies the row.
  [[{}, { width: 70 }, {}], 240 + 70 + 200],
  // A column in percent leaves the rest to the other columns and must itself be wide enough.
  [[{ width: '20%' }, { width: 800 }], 1000],
  [[{ width: '20%' }, { width: 80 }], 700],
])('a table with the columns %j needs %s pixels', (columns, pixels) => {
  expect(minWidthOf(columns)).toBe(pixels);
});
