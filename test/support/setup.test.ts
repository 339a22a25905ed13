import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitShrinking } from './setup.ts';

// A property that does not fail, because a failing one would be shrunk for hours.
const plugins = [limitShrinking(100)];
const long = fc.array(fc.string(), { minLength: 50, maxLength: 50 });
const asLong = expect.arrayContaining([expect.objectContaining({ length: 50 })]) as unknown;
const found = { failed: true, interrupted: true, counterexample: asLong };

test('a failing property is reported after the limit with a counterexample', () => {
  const until = (end: number) => {
    while (performance.now() < end);
  };
  const property = fc.property(long, () => {
    until(performance.now() + 20);
    throw new Error('always');
  });
  expect(fc.check(property, { plugins })).toMatchObject(found);
});

test('a failing asynchronous property is reported after the limit with a counterexample', async () => {
  const property = fc.asyncProperty(long, async () => {
    await pause(20);
    throw new Error('always');
  });
  expect(await fc.check(property, { plugins })).toMatchObject(found);
});

test('a property that holds is not stopped by the limit', async () => {
  let runs = 0;
  const property = fc.asyncProperty(fc.integer(), async () => {
    runs += 1;
    await pause(5);
  });
  await fc.assert(property, { plugins, numRuns: 60 });
  expect(runs).toBe(60);
});
