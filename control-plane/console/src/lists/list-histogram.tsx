import { t } from '@lingui/core/macro';
import { formatCountInShort, formatMoneyInShort } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { Histogram } from './histogram.tsx';
import { slotsOf } from './histogram-rules.ts';

/** A measure that the bars of a histogram can show. */
export interface Measure<Bucket> {
  /** Value of the URL parameter. */
  id: string;
  name: string;
  value: (bucket: Bucket) => number;
  errors?: (bucket: Bucket) => number;
  format: (value: number) => string;
  formatErrors?: (errors: number) => string;
  /** Describes the total. */
  summary: (buckets: readonly Bucket[]) => string;
  /** Additional URL parameters that selecting a time range sets. */
  chooses?: Readonly<Record<string, string>>;
}

export const sumOf = <B,>(buckets: readonly B[], value: (bucket: B) => number): number =>
  buckets.reduce((sum, bucket) => sum + value(bucket), 0);

export const costMeasure: Measure<{ cost: number }> = {
  id: 'cost',
  name: t`Cost`,
  value: ({ cost }) => cost,
  format: formatMoneyInShort,
  summary: (all) => formatMoneyInShort(sumOf(all, ({ cost }) => cost)),
};

const tokensText = (count: number): string => t`${formatCountInShort(count)} tokens`;

export const tokensMeasure: Measure<{ tokens: number }> = {
  id: 'tokens',
  name: t`Tokens`,
  value: ({ tokens }) => tokens,
  format: tokensText,
  summary: (all) => tokensText(sumOf(all, ({ tokens }) => tokens)),
};

interface ListHistogramProps<Bucket> {
  /** The first one is the default. */
  measures: readonly [Measure<Bucket>, ...Measure<Bucket>[]];
  totals: { bucket_seconds: number; buckets: readonly Bucket[] };
  range: TimeRange;
  filters: Filters;
}

/** Histogram of the rows of a list, or of a measure of them. The URL contains the measure. */
export function ListHistogram<Bucket extends { start: string }>({
  measures,
  totals: { bucket_seconds, buckets },
  range,
  filters,
}: ListHistogramProps<Bucket>) {
  const [first] = measures;
  const { value, errors, format, formatErrors, summary, chooses, ...shown } =
    measures.find(({ id }) => id === filters.get('chart')) ?? first;
  const bucketMs = bucket_seconds * 1000;
  const heights = buckets.map((bucket) => ({
    start: bucket.start,
    value: value(bucket),
    errors: errors?.(bucket) ?? 0,
  }));
  const slots = slotsOf(heights, bucketMs, range);
  if (slots.length === 0) return null;
  return (
    <div className="list-histogram">
      {measures.length > 1 && (
        <Choice
          label={t`Chart`}
          options={measures}
          value={shown.id}
          onChange={(id) => filters.set({ chart: id === first.id ? '' : id })}
        />
      )}
      <Histogram
        slots={slots}
        bucketMs={bucketMs}
        words={{
          value: format,
          ...(formatErrors && { errors: formatErrors }),
          summary: summary(buckets),
        }}
        onChoose={({ start, end }) => filters.set({ since: '', start, end, ...chooses })}
      />
    </div>
  );
}
