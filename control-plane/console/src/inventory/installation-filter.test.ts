import { expect, test } from 'vitest';
import { installationFilterOf } from './installation-filter.ts';

test.each([
  ['', { present: 'true' }],
  ['present=any&sort=-first_seen', { sort: '-first_seen' }],
  ['present=false&kind=cli&user=bob', { present: 'false', kind: 'cli', user: 'bob' }],
  ['time=last_seen', { present: 'true', time: 'last_seen' }],
  ['time=enrolled_at', { present: 'true' }],
  ['kind=toaster&sort=color&search=%20a%20', { present: 'true', search: 'a' }],
])('%j is the filter %j', (search, filter) => {
  const params = new URLSearchParams(search);
  expect(installationFilterOf({ get: (name) => params.get(name) ?? '' })).toEqual(filter);
});
