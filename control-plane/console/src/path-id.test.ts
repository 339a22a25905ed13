import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { idInPath, pathTo } from './path-id.ts';

test('an id can be read back from its path', () => {
  // Excludes lone surrogates, which a URL cannot contain.
  assert(
    property(string({ unit: 'binary' }), (id) => {
      expect(idInPath(pathTo('users', id))).toBe(id);
    }),
  );
});

test.each([
  ['/users/a%2Fb%3Fc', 'a/b?c'],
  ['/users/s%251/', 's%1'],
  ['/users/100%', '100%'],
  ['/users', ''],
])('the id in the path %s is %s', (path, id) => {
  expect(idInPath(path)).toBe(id);
});
