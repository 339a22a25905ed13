import { expect, test } from 'vitest';
import { plainPath } from './plain-path.ts';

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['//v1//chat/completions/', '/v1/chat/completions'],
  ['/v1/./chat/x/../completions/.', '/v1/chat/completions'],
  ['/../../v1', '/v1'],
  ['/v1/ch%61t/%2E%2e/models/a%3Ab', '/v1/models/a:b'],
  ['/v1/a%2Fb%3fc%23%25%5c%00%ff%zz%', '/v1/a%2Fb%3fc%23%25%5c%00%ff%zz%'],
  ['/v1/a..b/...', '/v1/a..b/...'],
  ['/', '/'],
  ['', ''],
])('%s is %s', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
  expect(plainPath(plain)).toBe(plain);
});

test('a long path is read in linear time', () => {
  const path = '/..%2e/%2e%2E'.repeat(100_000);
  expect(plainPath(path)).toBe('/');
});
