import { expect, it } from 'vitest';
import { chooseSource } from './choose.ts';

it('a system without a source has no flows, and says so instead of failing', async () => {
  const source = await chooseSource('plan9', {
    onConnecting: () => undefined,
    onClosed: () => false,
    isKnown: () => undefined,
    now: () => 0,
  });
  const visitor = { see: () => true, add: () => undefined };
  expect(await source.look(visitor)).toEqual({
    complete: false,
    problem: 'network flows cannot be observed on plan9',
  });
});
