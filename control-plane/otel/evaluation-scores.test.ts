import { expect, test } from 'vitest';
import { scoresOf } from './evaluation-scores.ts';
import type { OtelSpan } from './span.ts';

const ENDED = Date.UTC(2026, 0, 31);
const HOUR_MS = 3_600_000;

const scores = (value: unknown, at: number) =>
  scoresOf(
    {
      name: 'judge',
      ended_at: ENDED,
      attributes: {},
      events: [
        {
          name: 'gen_ai.evaluation.result',
          at,
          attributes: {
            'gen_ai.evaluation.name': 'quality',
            'gen_ai.evaluation.score.value': value,
          },
        },
      ],
    } as unknown as OtelSpan,
    'tool',
  );

// Sums of numbers near the limit of doubles would become infinite and stay so.
test.each([1e15, -1e15, 0, 0.5])('a score of %d is stored', (value) => {
  expect(scores(value, ENDED)).toMatchObject([{ numeric_value: value, created_at: ENDED }]);
});
test.each([1.1e15, -1.7e308, Infinity, NaN])('a score of %d is ignored', (value) => {
  expect(scores(value, ENDED)).toEqual([]);
});

test.each([
  [ENDED - HOUR_MS, ENDED - HOUR_MS],
  [ENDED + HOUR_MS, ENDED + HOUR_MS],
  [ENDED + 25 * HOUR_MS, ENDED],
  [1e16, ENDED],
  [0, ENDED],
])('an evaluation reported at %d has the time %d', (at, created_at) => {
  expect(scores(0.5, at)).toMatchObject([{ created_at }]);
});
