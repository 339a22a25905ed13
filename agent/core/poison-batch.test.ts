import { describe, expect, test } from 'vitest';
import { createPoisonBatchDetector } from './poison-batch.ts';

/**
 * Returns the number of the response, counted from 1, with which a batch is found to be the cause.
 */
function condemnedBy(answers: [status: number | null, accepted: number][]): number {
  const blame = createPoisonBatchDetector();
  return answers.findIndex(([status, accepted]) => blame('batch', status, accepted)) + 1;
}

const everyTime = (status: number | null): [number | null, number][] =>
  Array.from({ length: 50 }, (_, i) => [status, i]);

describe('a batch is the cause', () => {
  test.each([400, 413, 422])('immediately with status %i', (status) => {
    expect(condemnedBy(everyTime(status))).toBe(1);
  });

  test.each([500, 501, 507])(
    'at the fifth %i, if other requests succeeded in between',
    (status) => {
      expect(condemnedBy(everyTime(status))).toBe(5);
    },
  );

  test.each([null, 401, 403, 404, 408, 429, 502, 503, 504])('never with %s', (status) => {
    expect(condemnedBy(everyTime(status))).toBe(0);
  });

  test('never while the control plane accepts nothing from the device', () => {
    expect(condemnedBy(Array.from({ length: 50 }, () => [500, 3]))).toBe(0);
  });

  test('even if inconclusive responses come in between', () => {
    const answers = everyTime(500).flatMap((answer, i) => [answer, [null, i] as [null, number]]);
    expect(condemnedBy(answers)).toBe(9);
  });

  test('the count starts again with another batch', () => {
    const blame = createPoisonBatchDetector();
    for (let i = 0; i < 4; i += 1) expect(blame('a', 500, i)).toBe(false);
    expect(blame('b', 500, 4)).toBe(false);
  });
});
