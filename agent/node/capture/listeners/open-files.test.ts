import { expect, test } from 'vitest';
import { maxConnections } from './open-files.ts';

test.each([
  [64, { redirected: 0, proxy: 0 }],
  [142, { redirected: 20, proxy: 6 }],
  [1024, { redirected: 240, proxy: 80 }],
  [524_288, { redirected: 173_741, proxy: 1000 }],
  [Infinity, { redirected: Infinity, proxy: 1000 }],
])('%d open files', (limit, connections) => {
  expect(maxConnections(limit)).toEqual(connections);
});
