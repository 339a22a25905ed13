import { formatCount, formatDay, formatMoney, formatShort } from '../format.ts';
import { visible } from '../visible.ts';
import { marksTo, stackDay } from './stack.ts';
import type { DayUsage, Measure } from './usage-by-day.ts';

const height = 208;
/** Space in pixels for labels above the highest tick and below the baseline. */
const [above, below] = [10, 22];

export const formatMeasure = (measure: Measure, amount: number): string =>
  measure === 'cost' ? formatMoney(amount) : formatCount(amount);

const formatMark = (measure: Measure, amount: number): string =>
  measure === 'cost' ? formatMoney(amount) : formatShort(amount);

interface UsageChartProps {
  days: readonly DayUsage[];
  measure: Measure;
  /** Models in the order of their colours. */
  ranking: readonly string[];
}

/** Stacked columns: one per day, one layer per model. The table beside it has the same data. */
export function UsageChart({ days, measure, ranking }: UsageChartProps) {
  const marks = marksTo(Math.max(...days.map((day) => day[measure])));
  const top = marks.at(-1) || 1;
  const y = (amount: number) => above + (height - above - below) * (1 - amount / top);
  return (
    <div className="chart" role="img" aria-label={`${measure} by day and model, as a chart`}>
      <svg className="axis" height={height} aria-hidden="true">
        {marks.map((mark) => (
          <text key={mark} x="100%" y={y(mark) + 4} textAnchor="end">
            {formatMark(measure, mark)}
          </text>
        ))}
      </svg>
      <svg className="plot" height={height} aria-hidden="true">
        {marks.map((mark) => (
          <line key={mark} x1="0" x2="100%" y1={y(mark)} y2={y(mark)} />
        ))}
        {days.map((day, at) => (
          <DayColumn key={day.date} {...{ day, at, of: days.length, measure, ranking, y }} />
        ))}
      </svg>
    </div>
  );
}

interface DayColumnProps {
  day: DayUsage;
  at: number;
  of: number;
  measure: Measure;
  ranking: readonly string[];
  y: (amount: number) => number;
}

/** Maximum number of date labels, so that neighbouring labels do not overlap. */
const datesShown = 8;

function DayColumn({ day, at, of, measure, ranking, y }: DayColumnProps) {
  const step = 100 / of;
  const every = Math.ceil(of / datesShown);
  const share = (part: number) => `${(at + part) * step}%`;
  return (
    <g className="day">
      <title>{titleOf(day, measure)}</title>
      <rect className="ground" x={share(0)} width={`${step}%`} y={above} height={height - above} />
      {stackDay(day, measure, ranking).map(({ colour, from, to }) => (
        <rect
          key={colour}
          className={`series-${colour}`}
          x={share(0.18)}
          width={`${step * 0.64}%`}
          y={y(to)}
          // Layers are separated by one pixel of background, if they are high enough for it.
          height={Math.max(0.5, y(from) - y(to) - (from > 0 ? 1 : 0))}
        />
      ))}
      {(of - 1 - at) % every === 0 && (
        <text x={share(0.5)} y={height - 6} textAnchor="middle">
          {formatDay(day.date)}
        </text>
      )}
    </g>
  );
}

const namesInTitle = 8;

function titleOf(day: DayUsage, measure: Measure): string {
  const models = day.models.toSorted((a, b) => b[measure] - a[measure]);
  const lines = models
    .slice(0, namesInTitle)
    .map((point) => `${visible(point.model)}: ${formatMeasure(measure, point[measure])}`);
  if (models.length > namesInTitle) lines.push(`and ${models.length - namesInTitle} more`);
  return [`${formatDay(day.date)}: ${formatMeasure(measure, day[measure])}`, ...lines].join('\n');
}
