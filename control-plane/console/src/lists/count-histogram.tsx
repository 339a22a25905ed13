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
  /** Undefined until the counts are loaded. */
  counts: Counts | undefined;
  /** Formats a number of rows as words. */
  format: (count: number) => string;
  /** The times to choose from, if the rows have several. */
  times?: ListTimes;
  range: TimeRange;
  filters: Filters;
}

/** Histogram of the rows of a list. If they have several times, the user chooses one. */
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
