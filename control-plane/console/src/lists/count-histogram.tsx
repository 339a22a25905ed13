import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_OVER_TIME } from '#contract/over-time.ts';
import { formatCount } from '../format.ts';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { ListHistogram, sumOf } from './list-histogram.tsx';
import type { Measure } from './list-histogram.tsx';
import type { ListTimes } from './list-times.ts';

interface Bucket {
  start: string;
  count: number;
}

export interface Counts {
  bucket_seconds: number;
  buckets: readonly Bucket[];
  complete: boolean;
}

interface CountHistogramProps {
  /** Undefined until they are known. */
  counts: Counts | undefined;
  /** A number of rows, in words. */
  format: (count: number) => string;
  /** If the rows have several times: those to choose from. */
  times?: ListTimes;
  range: TimeRange;
  filters: Filters;
}

/** The number of rows of a list over time; of several times, one is chosen. */
export function CountHistogram({ counts, format, times, range, filters }: CountHistogramProps) {
  if (!counts) return null;
  const [first, ...others] = times ?? [undefined];
  const measure = measureOf(format);
  return (
    <>
      <ListHistogram
        measures={[measure(first), ...others.map(measure)]}
        totals={counts}
        range={range}
        filters={filters}
      />
      {!counts.complete && (
        <p className="muted page-note">
          <Trans>The chart shows only the latest {formatCount(MAX_OVER_TIME)}.</Trans>
        </p>
      )}
    </>
  );
}

const measureOf =
  (format: (count: number) => string) =>
  (time: ListTimes[number] | undefined): Measure<Bucket> => ({
    id: time?.id ?? '',
    name: time?.name ?? '',
    value: ({ count }) => count,
    format,
    summary: (all) => {
      const counted = format(sumOf(all, ({ count }) => count));
      return time?.within ? t`${counted} (${time.within})` : counted;
    },
    ...(time && { chooses: { time: time.id } }),
  });
