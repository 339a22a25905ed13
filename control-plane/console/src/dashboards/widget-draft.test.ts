import { expect, test } from 'vitest';
import { moveItem, newWidget, titleOf, withQuery } from './widget-draft.ts';

test('a grouping or chart that does not fit the measure is replaced', () => {
  const byModel = withQuery(newWidget, { group_by: 'model' });
  expect(withQuery(byModel, { measure: 'tokens' }).query.group_by).toBe('model');
  expect(withQuery(byModel, { measure: 'runs' }).query.group_by).toBe('none');
  const stacked = { ...newWidget, chart: 'stacked_bar' } as const;
  expect(withQuery(stacked, { measure: 'error_rate' }).chart).toBe('line');
  expect(withQuery(stacked, { measure: 'runs' }).chart).toBe('stacked_bar');
});

test('a widget without a title is named after its query', () => {
  expect(titleOf(newWidget)).toBe('Cost by agent');
  expect(titleOf(withQuery(newWidget, { group_by: 'api_key' }))).toBe('Cost by API key');
  expect(titleOf({ ...newWidget, title: ' Own ' })).toBe('Own');
});

test('an item moves by one position and stays at the ends', () => {
  expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveItem(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moveItem(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  expect(moveItem(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});
