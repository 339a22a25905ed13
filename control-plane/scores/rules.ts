import type { NewScore } from '#contract/scores.ts';
import { dateOf } from '../analytics/period.ts';

type ScoreType = NewScore['data_type'];

/**
 * Returns the columns that store a value. Numbers are stored separately, so that they can be
 * averaged, and booleans are stored as text.
 */
export const valueColumns = ({ data_type, value }: Pick<NewScore, 'data_type' | 'value'>) => ({
  numeric_value: data_type === 'numeric' ? Number(value) : null,
  string_value: data_type === 'numeric' ? null : String(value),
});

export interface ScoreRow {
  id: string;
  name: string;
  data_type: ScoreType;
  source: 'manual' | 'sdk' | 'evaluator';
  numeric_value: number | null;
  string_value: string | null;
  comment: string | null;
  metadata: string | null;
  author_user_id: string | null;
  evaluator_id: string | null;
  evaluator_name: string | null;
  run_id: number;
  run_agent_name: string;
  llm_call_id: number | null;
  llm_call_model: string | null;
  created_at: number;
}

/** Returns a score in the form of responses: ids as text, and missing values as empty strings. */
export const scoreView = <R extends ScoreRow>(row: R) => ({
  ...row,
  metadata: row.metadata ?? '{}',
  author_user_id: row.author_user_id ?? '',
  run_id: String(row.run_id),
  llm_call_id: row.llm_call_id === null ? null : String(row.llm_call_id),
});

/** The totals of the scores of one name and type, or of one of their days. */
export interface ScoreSums {
  name: string;
  data_type: ScoreType;
  score_count: number;
  numeric_count: number;
  numeric_sum: number;
}

type Numbers = Pick<ScoreSums, 'numeric_count' | 'numeric_sum'>;

export const averageOf = (sums: readonly Numbers[]): number | null => {
  const count = total(sums, 'numeric_count');
  return count > 0 ? total(sums, 'numeric_sum') / count : null;
};

const total = <C extends 'score_count' | 'numeric_count' | 'numeric_sum'>(
  sums: readonly Record<C, number>[],
  column: C,
): number => sums.reduce((sum, row) => sum + row[column], 0);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the aggregates of all matching scores. */
export const aggregatesOf = (sums: readonly ScoreSums[]) => ({
  total_count: total(sums, 'score_count'),
  avg_numeric_value: averageOf(sums),
  score_names: [...new Set(sums.map(({ name }) => name))].sort(byText),
});

export interface ScoreDay extends ScoreSums {
  /** The day, counted since 1970. */
  day: number;
  numeric_min: number | null;
  numeric_max: number | null;
}

export interface ValueCount {
  name: string;
  data_type: ScoreType;
  value: string;
  count: number;
}

/**
 * Returns one distribution per name and type, sorted by name. Time series are by day, and values by
 * frequency.
 */
export function distributionsOf(stored: readonly ScoreDay[], values: readonly ValueCount[]) {
  const key = ({ name, data_type }: Pick<ScoreDay, 'name' | 'data_type'>) => `${data_type} ${name}`;
  const valuesBy = Map.groupBy(values, key);
  const days = stored.toSorted((a, b) => a.day - b.day);
  return [...Map.groupBy(days, key)]
    .map(([own, [first, ...rest]]) =>
      distributionOf([first as ScoreDay, ...rest], valuesBy.get(own) ?? []),
    )
    .sort((a, b) => byText(a.name, b.name) || byText(a.data_type, b.data_type));
}

function distributionOf(days: readonly [ScoreDay, ...ScoreDay[]], values: readonly ValueCount[]) {
  const [{ name, data_type }] = days;
  const total_count = total(days, 'score_count');
  if (data_type === 'numeric')
    return {
      name,
      data_type,
      total_count,
      avg: averageOf(days),
      ...extremesOf(days),
      time_series: seriesOf(days),
    };
  const value_counts = values
    .map(({ value, count }) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byText(a.value, b.value));
  return { name, data_type, total_count, value_counts };
}

function extremesOf(days: readonly ScoreDay[]) {
  const notNull = (values: (number | null)[]) => values.filter((value) => value !== null);
  const low = notNull(days.map(({ numeric_min }) => numeric_min));
  const high = notNull(days.map(({ numeric_max }) => numeric_max));
  return {
    min: low.length > 0 ? Math.min(...low) : null,
    max: high.length > 0 ? Math.max(...high) : null,
  };
}

const seriesOf = (days: readonly ScoreDay[]) =>
  days
    .filter(({ numeric_count }) => numeric_count > 0)
    .map(({ day, numeric_sum, numeric_count: count }) => ({
      date: dateOf(day),
      avg: numeric_sum / count,
      count,
    }));
