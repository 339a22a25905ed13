import { t } from '@lingui/core/macro';
import type { Run } from '../data/run-sources.ts';
import { formatCount, formatPercent } from '../format.ts';
import type { TraceNode } from './trace-tree.ts';

/** A run with the records of its trace, which are undefined while they load. */
export interface ComparedRun {
  run: Run;
  nodes: readonly TraceNode[] | undefined;
}

/** The average of the calls whose duration was recorded. */
export function averageLatency({ nodes }: Pick<ComparedRun, 'nodes'>): number | null {
  const latencies = (nodes ?? []).flatMap(({ item }) =>
    item.kind === 'llm_call' && item.duration_ms !== null ? [item.duration_ms] : [],
  );
  if (latencies.length === 0) return null;
  return latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length;
}

/** From this factor on, it is clearer than a percentage. */
const MIN_SHOWN_FACTOR = 10;

/** Describes the difference of the second value from the first, such as `+$0.25 (+50%)`. */
export function differenceOf(
  left: number,
  right: number,
  format: (value: number) => string,
): string {
  if (left === right) return t`Same`;
  const sign = right > left ? '+' : '−';
  const amount = `${sign}${format(Math.abs(right - left))}`;
  if (left === 0) return amount;
  const times = right / left;
  if (times >= MIN_SHOWN_FACTOR) return `${amount} (${formatCount(Math.round(times))}×)`;
  return `${amount} (${sign}${formatPercent((Math.abs(right - left) / Math.abs(left)) * 100)})`;
}
