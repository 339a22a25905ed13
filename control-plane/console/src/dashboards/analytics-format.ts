import { t } from '@lingui/core/macro';
import type { Measure, Unit } from '../data/dashboard-sources.ts';
import {
  formatCount,
  formatCountInShort,
  formatDuration,
  formatMoney,
  formatMoneyInShort,
  formatPercent,
  formatShort,
  formatShortMoney,
  NONE,
} from '../format.ts';
import { changeInPoints, changeOf, changeOfDuration } from '../home/change.ts';
import type { Change, Words } from '../home/change.ts';
import { numberLocale } from '../language/locales.ts';

const score = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 3 });

const formats: Record<Unit, (value: number) => string> = {
  count: formatCount,
  usd: formatMoney,
  ms: formatDuration,
  ratio: (value) => formatPercent(value * 100),
  score: (value) => score.format(value),
};

export const formatValue = (unit: Unit, value: number | null): string =>
  value === null ? NONE : formats[unit](value);

/** Formats a value for table cells, whose width is fixed. */
export function formatInShort(unit: Unit, value: number | null): string {
  if (value === null) return NONE;
  if (unit === 'count') return formatCountInShort(value);
  return unit === 'usd' ? formatMoneyInShort(value) : formats[unit](value);
}

/** Formats a value for the ticks of an axis. */
export function formatAxisTick(unit: Unit, value: number): string {
  if (unit === 'count') return formatShort(value);
  return unit === 'usd' ? formatShortMoney(value) : formats[unit](value);
}

/** The unit for ticks: those of long durations are whole seconds, minutes or hours. */
export function tickUnit(unit: Unit, most: number): number {
  if (unit !== 'ms') return 1;
  return [3_600_000, 60_000, 1000].find((size) => most >= 2 * size) ?? 1;
}

/** Measures for which lower is better. */
const worse: readonly Measure[] = ['failed_runs'];

/** The change from the previous period; undefined if there is no comparison. */
export function changeOfMeasure(
  { measure, unit, compared }: { measure: Measure; unit: Unit; compared: boolean },
  { value, previous }: { value: number | null; previous: number | null },
): Change | undefined {
  if (!compared) return undefined;
  if (value === null || previous === null) return { text: t`previously none`, tone: 'neutral' };
  if (unit === 'ratio') return changeInPoints(value, previous);
  if (unit === 'ms') return changeOfDuration(value, previous);
  if (unit === 'score')
    return changeOf(value, previous, { up: 'higher', down: 'lower', better: 'up' });
  const words: Words =
    unit === 'usd' ? { up: 'more', down: 'less' } : { up: 'more', down: 'fewer' };
  return changeOf(value, previous, worse.includes(measure) ? { ...words, better: 'down' } : words);
}
