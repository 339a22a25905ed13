import { t } from '@lingui/core/macro';
import { tickValues } from '../charts/chart-rules.ts';
import type { PromptPerformance, VersionPerformance } from '../data/prompt-sources.ts';
import { formatDay, formatTime } from '../format.ts';
import { usePhone } from '../parts/use-narrow.ts';
import { markInvisible } from '../mark-invisible.ts';
import type { PromptMeasure } from './measures.ts';
import './performance-chart.css';

const HEIGHT = 180;
/** Space in pixels above the highest tick and below the baseline. */
const [above, below] = [10, 22];

interface PerformanceChartProps {
  lines: readonly VersionPerformance[];
  measure: PromptMeasure;
  /** Start times of the hours or days. */
  buckets: readonly number[];
  bucket: PromptPerformance['bucket'];
}

/** Line chart with one line per version. The table below it shows the totals. */
export function PerformanceChart({ lines, measure, buckets, bucket }: PerformanceChartProps) {
  const series = lines.map((line) => valuesOf(line, measure, buckets));
  const marks = tickValues(Math.max(...series.flat().map((value) => value ?? 0)));
  const top = marks.at(-1) || 1;
  const y = (value: number) => above + (HEIGHT - above - below) * (1 - value / top);
  const x = (at: number) => `${((at + 0.5) * 100) / buckets.length}%`;
  return (
    <div
      className="line-chart"
      role="img"
      aria-label={t`${markInvisible(measure.name)} of each version, as a chart`}
    >
      <svg className="line-axis" height={HEIGHT} aria-hidden="true">
        {marks.map((mark) => (
          <text key={mark} x="100%" y={y(mark) + 4} textAnchor="end">
            {measure.format(mark)}
          </text>
        ))}
      </svg>
      <svg className="line-plot" height={HEIGHT} aria-hidden="true">
        {marks.map((mark) => (
          <line key={mark} className="tick" x1="0" x2="100%" y1={y(mark)} y2={y(mark)} />
        ))}
        {series.map((values, colour) => (
          <Line key={lines[colour]?.version} {...{ values, colour, x, y }} />
        ))}
        <Dates {...{ buckets, bucket, x }} />
        {buckets.map((at, index) => (
          <rect
            key={at}
            className="ground"
            x={`${(index * 100) / buckets.length}%`}
            width={`${100 / buckets.length}%`}
            y={above}
            height={HEIGHT - above - below}
          >
            <title>{titleOf(at, index)}</title>
          </rect>
        ))}
      </svg>
    </div>
  );

  function titleOf(at: number, index: number): string {
    const values = lines.flatMap(({ version }, line) => {
      const value = series[line]?.[index] ?? null;
      return value === null ? [] : [`v${version}: ${measure.format(value)}`];
    });
    return [dateOf(at, bucket), ...values].join('\n');
  }
}

function valuesOf(
  { points }: VersionPerformance,
  measure: PromptMeasure,
  buckets: readonly number[],
): (number | null)[] {
  const byStart = new Map(points.map((point) => [Date.parse(point.at), point]));
  return buckets.map((at) => {
    const point = byStart.get(at);
    return point ? measure.of(point) : measure.isCount ? 0 : null;
  });
}

interface LineProps {
  values: readonly (number | null)[];
  /** Index in the chart palette. */
  colour: number;
  x: (at: number) => string;
  y: (value: number) => number;
}

/** A line of the chart. Only adjacent points are connected. */
const Line = ({ values, colour, x, y }: LineProps) => (
  <g className={`series-${colour}`}>
    {values.map((value, at) => {
      const next = values[at + 1] ?? null;
      return (
        value !== null &&
        next !== null && (
          <line key={at} className="stroke" x1={x(at)} y1={y(value)} x2={x(at + 1)} y2={y(next)} />
        )
      );
    })}
    {values.map(
      (value, at) => value !== null && <circle key={at} cx={x(at)} cy={y(value)} r="2.5" />,
    )}
  </g>
);

interface DatesProps {
  buckets: readonly number[];
  bucket: PromptPerformance['bucket'];
  x: (at: number) => string;
}

function Dates({ buckets, bucket, x }: DatesProps) {
  const every = Math.ceil(buckets.length / (usePhone() ? 3 : 8));
  return buckets.map(
    (at, index) =>
      (buckets.length - 1 - index) % every === 0 && (
        <text key={at} x={x(index)} y={HEIGHT - 6} textAnchor="middle">
          {dateOf(at, bucket)}
        </text>
      ),
  );
}

const dateOf = (at: number, bucket: PromptPerformance['bucket']): string =>
  bucket === 'hour' ? formatTime(at) : formatDay(new Date(at).toISOString());
