import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundedCheck, cachedCheck } from './readiness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reasonOf = (error: unknown): string => (error as Error).message;
const failed = (reason: string) => ({ status: 'failed', reason });
const OK = { status: 'ok' };

test('concurrent and closely following calls share one check', async () => {
  let checks = 0;
  const check = boundedCheck(() => {
    checks += 1;
    return Promise.resolve(undefined);
  }, reasonOf);
  expect(await Promise.all([check(), check(), check()])).toEqual([OK, OK, OK]);
  await vi.advanceTimersByTimeAsync(1900);
  expect(await check()).toEqual(OK);
  expect(checks).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  await check();
  expect(checks).toBe(2);
});

test('a failure and its end are reported', async () => {
  const results: (() => Promise<string | undefined>)[] = [
    () => Promise.resolve('the disk is full'),
    () => Promise.reject(new Error('it is gone')),
    () => Promise.resolve(undefined),
  ];
  const check = boundedCheck(() => (results.shift() as () => Promise<undefined>)(), reasonOf);
  const statuses = [];
  while (results.length > 0) {
    statuses.push(await check());
    await vi.advanceTimersByTimeAsync(2100);
  }
  expect(statuses).toEqual([failed('the disk is full'), failed('it is gone'), OK]);
});

test('a check that times out fails with the last known reason, and is not started twice', async () => {
  let checks = 0;
  let fail: (reason: Error) => void = () => undefined;
  const check = boundedCheck(() => {
    checks += 1;
    return new Promise((_, reject) => (fail = reject));
  }, reasonOf);
  const inTime = async () => {
    const answer = check();
    await vi.advanceTimersByTimeAsync(2000);
    return answer;
  };
  expect([await inTime(), await inTime()]).toEqual([
    failed('no answer within 2 seconds'),
    failed('no answer within 2 seconds'),
  ]);
  expect(checks).toBe(1);
  fail(new Error('it is locked'));
  await vi.advanceTimersByTimeAsync(2100);
  expect(await inTime()).toEqual(failed('it is locked'));
  expect(checks).toBe(2);
});

test('a check that times out or throws returns undefined, and is repeated by the next call', async () => {
  const results = [new Promise<never>(() => undefined), Promise.resolve(7)];
  const check = cachedCheck(() => results.shift() ?? Promise.reject(new Error('no more')));
  const slow = check();
  await vi.advanceTimersByTimeAsync(2000);
  expect(await slow).toBeUndefined();
  const failing = cachedCheck(() => Promise.reject(new Error('away')));
  await expect(failing()).rejects.toThrow('away');
  await expect(failing()).rejects.toThrow('away');
});
