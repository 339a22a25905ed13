import { expect, test } from 'vitest';
import { chooseSource } from './choose-source.ts';

test('a system without a source has no flows, and reports that instead of failing', async () => {
  const source = await chooseSource('plan9', {
    onConnecting: () => undefined,
    onClosed: () => false,
    catalogHostOf: () => undefined,
    now: () => 0,
  });
  const visitor = { update: () => true, add: () => undefined };
  expect(await source.poll(visitor)).toEqual({
    complete: false,
    error: 'network flows cannot be observed on plan9',
  });
});
