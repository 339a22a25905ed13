import { t } from '@lingui/core/macro';
import type { Figures, PromptPerformance } from '../data/prompt-sources.ts';
import { formatCount, formatDuration, formatMoney, formatPercent } from '../format.ts';

/** A figure used to compare versions. */
export interface PromptMeasure {
  id: string;
  name: string;
  /** Null if there are no measurements. */
  of: (figures: FiguresOf) => number | null;
  format: (value: number) => string;
  /** Whether no calls mean zero instead of no value. */
  isCount: boolean;
}

export type FiguresOf = Omit<Figures, 'at'>;

export const errorRate = ({ call_count, failed_count }: FiguresOf): number | null =>
  call_count === 0 ? null : (failed_count / call_count) * 100;

export const formatScore = (value: number): string => String(Number(value.toPrecision(3)));

const fixed: readonly PromptMeasure[] = [
  {
    id: 'calls',
    name: t`Calls`,
    of: ({ call_count }) => call_count,
    format: formatCount,
    isCount: true,
  },
  {
    id: 'cost',
    name: t`Cost`,
    of: ({ total_cost }) => total_cost,
    format: formatMoney,
    isCount: true,
  },
  {
    id: 'p50',
    name: t`Latency p50`,
    of: ({ latency_p50 }) => latency_p50,
    format: formatDuration,
    isCount: false,
  },
  {
    id: 'p95',
    name: t`Latency p95`,
    of: ({ latency_p95 }) => latency_p95,
    format: formatDuration,
    isCount: false,
  },
  { id: 'errors', name: t`Error rate`, of: errorRate, format: formatPercent, isCount: false },
];

/** The names of all scores in the performance of a prompt, sorted. */
export const scoreNames = ({ versions }: PromptPerformance): string[] =>
  [...new Set(versions.flatMap(({ scores }) => scores.map(({ name }) => name)))].sort();

export const scoreOf = ({ scores }: FiguresOf, name: string) =>
  scores.find((score) => score.name === name);

export const measuresOf = (performance: PromptPerformance): readonly PromptMeasure[] => [
  ...fixed,
  ...scoreNames(performance).map((name): PromptMeasure => ({
    id: `score ${name}`,
    name: t`Score ${name}`,
    of: (figures) => scoreOf(figures, name)?.avg ?? null,
    format: formatScore,
    isCount: false,
  })),
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const days = { '1d': 1, '7d': 7, '30d': 30 } as const;

/** The start times of all hours or days of a performance, including those without calls. */
export function bucketsOf({ since, bucket, period }: PromptPerformance): number[] {
  const length = bucket === 'hour' ? HOUR_MS : DAY_MS;
  const start = Date.parse(since);
  const buckets: number[] = [];
  for (
    let at = Math.floor(start / length) * length;
    at <= start + days[period] * DAY_MS;
    at += length
  )
    buckets.push(at);
  return buckets;
}
