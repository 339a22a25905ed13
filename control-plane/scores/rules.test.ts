import { describe, expect, test } from 'vitest';
import { aggregatesOf, distributionsOf, type ScoreDay, valueColumns } from './rules.ts';

test.each([
  [
    { data_type: 'numeric', value: 0.5 },
    { numeric_value: 0.5, string_value: null },
  ],
  [
    { data_type: 'numeric', value: 0 },
    { numeric_value: 0, string_value: null },
  ],
  [
    { data_type: 'categorical', value: 'good' },
    { numeric_value: null, string_value: 'good' },
  ],
  [
    { data_type: 'boolean', value: false },
    { numeric_value: null, string_value: 'false' },
  ],
] as const)('%j is stored as %j', (given, stored) => {
  expect(valueColumns(given)).toEqual(stored);
});

const day = (of: Partial<ScoreDay>): ScoreDay => ({
  day: 20_000,
  name: 'q',
  data_type: 'numeric',
  score_count: 1,
  numeric_count: 1,
  numeric_sum: 2,
  numeric_min: 2,
  numeric_max: 2,
  ...of,
});

describe('distributions', () => {
  test('averages are over scores, not over days', () => {
    const days = [
      day({ day: 20_001, score_count: 4, numeric_count: 3, numeric_sum: 9, numeric_max: 5 }),
      day({ numeric_sum: -1, numeric_min: -1, numeric_max: -1 }),
    ];
    expect(distributionsOf(days, [])).toEqual([
      {
        name: 'q',
        data_type: 'numeric',
        total_count: 5,
        avg: 2,
        min: -1,
        max: 5,
        time_series: [
          { date: '2024-10-04', avg: -1, count: 1 },
          { date: '2024-10-05', avg: 3, count: 3 },
        ],
      },
    ]);
  });

  test('a name with two types has two distributions', () => {
    const none = { numeric_count: 0, numeric_sum: 0, numeric_min: null, numeric_max: null };
    const values = [
      { name: 'q', data_type: 'boolean', value: 'false', count: 1 },
      { name: 'q', data_type: 'categorical', value: 'good', count: 7 },
      { name: 'q', data_type: 'boolean', value: 'true', count: 1 },
      { name: 'q', data_type: 'categorical', value: 'best', count: 9 },
    ] as const;
    const days = [
      day({ ...none, data_type: 'categorical', score_count: 16 }),
      day({ ...none, data_type: 'boolean', score_count: 2 }),
      day({ ...none, score_count: 3 }),
    ];
    expect(distributionsOf(days, values)).toEqual([
      {
        name: 'q',
        data_type: 'boolean',
        total_count: 2,
        value_counts: [
          { value: 'false', count: 1 },
          { value: 'true', count: 1 },
        ],
      },
      {
        name: 'q',
        data_type: 'categorical',
        total_count: 16,
        value_counts: [
          { value: 'best', count: 9 },
          { value: 'good', count: 7 },
        ],
      },
      {
        name: 'q',
        data_type: 'numeric',
        total_count: 3,
        avg: null,
        min: null,
        max: null,
        time_series: [],
      },
    ]);
  });
});

test('aggregates without scores', () => {
  expect(aggregatesOf([])).toEqual({ total_count: 0, avg_numeric_value: null, score_names: [] });
});
