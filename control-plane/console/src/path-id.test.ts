import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { idInPath, pathTo } from './path-id.ts';

test('an id survives its address', () => {
  // A lone surrogate is no text, and no address can hold it.
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
])('%s holds %s', (path, id) => {
  expect(idInPath(path)).toBe(id);
});
