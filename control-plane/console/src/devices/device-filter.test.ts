import { expect, test } from 'vitest';
import { deviceFilterOf, deviceSortOf, collapsedFilterCount } from './device-filter.ts';

const read = (search: string) => {
  const params = new URLSearchParams(search);
  return { get: (name: string) => params.get(name) ?? '' };
};

test.each([
  ['', {}],
  ['state=online&os=linux', { state: 'online', os: 'linux' }],
  ['time=enrolled_at', { time: 'enrolled_at' }],
  ['time=first_seen', {}],
  ['state=broken&config=maybe', {}],
  ['config=pending&risk=sends_data', { config: 'pending', risk_flag: 'sends_data' }],
  ['problems=true&problem=disk', { with_problems: 'true', problem: 'disk' }],
  ['search=%20mac%20&app=grp_1', { search: 'mac', app: 'grp_1' }],
])('%j is the filter %j', (search, filter) => expect(deviceFilterOf(read(search))).toEqual(filter));

test.each([
  ['', '-last_seen'],
  ['sort=apps', 'apps'],
  ['sort=color', '-last_seen'],
])('%j is sorted by %s', (search, sort) => expect(deviceSortOf(read(search))).toBe(sort));

test('the collapsed filters are counted', () =>
  expect(collapsedFilterCount(deviceFilterOf(read('state=online&os=linux&risk=x')))).toBe(2));
