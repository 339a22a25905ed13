import { expect, test } from 'vitest';
import { captureFilterOf, captureSortOf } from './capture-filter.ts';

const read = (search: string) => {
  const params = new URLSearchParams(search);
  return { get: (name: string) => params.get(name) ?? '' };
};

test.each([
  ['', {}],
  ['model=gpt-5&outcome=failed', { model: 'gpt-5', outcome: 'failed' }],
  ['outcome=maybe&search=%20order%20', { search: 'order' }],
  ['device=dev_1&host=a.b&app=codex', { device: 'dev_1', host: 'a.b', app: 'codex' }],
])('%j is the filter %j', (search, filter) =>
  expect(captureFilterOf(read(search))).toEqual(filter),
);

test.each([
  ['sort=started_at', { sort: 'started_at' }],
  ['sort=-model', { sort: '-model' }],
  ['sort=-started_at', {}],
  ['sort=path', {}],
])('%j sorts by %j', (search, sort) => expect(captureSortOf(read(search))).toEqual(sort));
