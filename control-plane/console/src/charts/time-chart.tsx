import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { usePhone } from '../parts/use-narrow.ts';
import { Text } from '../parts/text.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { highestValue, stackAt, lineSegments, tickValues } from './chart-rules.ts';
import type { Series } from './chart-rules.ts';
import './time-chart.css';

const HEIGHT = 208;
/** Space in pixels for labels above the highest tick and below the baseline. */
const [above, below] = [10, 22];

export interface Slot {
  /** Label on the axis. */
  tick: string;
  /** Full name of the interval, shown with its values. */
  name: string;
  /** URL of the list of records that the interval counts. */
  link: string | undefined;
}

interface TimeChartProps {
  label: string;
  kind: 'line' | 'columns';
  slots: readonly Slot[];
  series: readonly Series[];
  format: (value: number) => string;
  formatTick: (value: number) => string;
  /** Returns the unit whose round multiples become ticks; 1 by default. */
  tickUnitOf?: (most: number) => number;
  /** Drawn as a dashed line unless it is far above all values. */
  limit?: number | undefined;
}

/** A limit more than this many times the highest value is not drawn: it would flatten the chart. */
const FAR_ABOVE = 4;

const nearLimit = (limit: number | undefined, reached: number): number | undefined =>
  limit !== undefined && limit <= reached * FAR_ABOVE ? limit : undefined;

const Limit = ({ at, y }: { at: number | undefined; y: (amount: number) => number }) =>
  at === undefined ? null : <line className="limit" x1="0" x2="100%" y1={y(at)} y2={y(at)} />;

/**
 * A chart of values over time. The pointer or the arrow keys select the interval whose values are
 * shown.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, kind, slots, series, format, formatTick, tickUnitOf, limit } = props;
  const [chosen, setChosen] = useState<number>();
  const [, navigate] = useLocation();
  const stacked = kind === 'columns';
  const reached = highestValue(series, stacked);
  const shown = nearLimit(limit, reached);
  const most = Math.max(reached, shown ?? 0);
  const size = tickUnitOf?.(most) ?? 1;
  const marks = tickValues(most / size).map((mark) => mark * size);
  const top = marks.at(-1) || 1;
  const y = (amount: number) => above + (HEIGHT - above - below) * (1 - amount / top);
  const last = slots.length - 1;
  const at = chosen === undefined ? undefined : Math.min(chosen, last);
  const open = () => {
    const link = at === undefined ? undefined : slots[at]?.link;
    if (link !== undefined) navigate(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, at, last);
    if (event.key === 'Enter') open();
    else if (next === undefined) return;
    else setChosen(next);
    event.preventDefault();
  };
  const text = at === undefined ? undefined : valuesText(slots[at], series, at, format, stacked);
  return (
    <div className="time-chart">
      <div
        className={at !== undefined && slots[at]?.link !== undefined ? 'chart leading' : 'chart'}
        role="slider"
        tabIndex={0}
        aria-label={t`${label}: interval`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at ?? 0}
        aria-valuetext={text ?? t`Arrow keys choose an interval`}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setChosen(undefined)}
        onBlur={() => setChosen(undefined)}
        onClick={open}
      >
        <svg className="axis" height={HEIGHT} aria-hidden="true">
          {marks.map((mark) => (
            <text key={mark} x="100%" y={y(mark) + 4} textAnchor="end">
              {formatTick(mark)}
            </text>
          ))}
        </svg>
        <svg className="plot" height={HEIGHT} aria-hidden="true">
          {marks.map((mark) => (
            <line key={mark} x1="0" x2="100%" y1={y(mark)} y2={y(mark)} />
          ))}
          {slots.map((slot, index) => (
            <Ground
              key={index}
              {...{ slot, at: index, of: slots.length, chosen: index === at }}
              onChoose={() => setChosen(index)}
            />
          ))}
          {stacked ? (
            <Columns series={series} of={slots.length} y={y} />
          ) : (
            <Lines series={series} of={slots.length} y={y} />
          )}
          <Limit at={shown} y={y} />
        </svg>
      </div>
      <p className="chart-readout muted">
        {text === undefined ? (
          t`Point at the chart, or use the arrow keys, for single values`
        ) : (
          <Text>{text}</Text>
        )}
      </p>
    </div>
  );
}

function moved(key: string, at: number | undefined, last: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, (at ?? -1) + 1);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, (at ?? last + 1) - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

function valuesText(
  slot: Slot | undefined,
  series: readonly Series[],
  at: number,
  format: (value: number) => string,
  stacked: boolean,
): string {
  const present = series.flatMap(({ name, values }) => {
    const value = values[at] ?? null;
    return value === null || (stacked && value === 0) ? [] : [{ name, value }];
  });
  const sum = present.reduce((all, { value }) => all + value, 0);
  const total = stacked && series.length > 1 ? [format(sum)] : [];
  const parts = present.map(({ name, value }) =>
    series.length > 1 ? `${markInvisible(name)} ${format(value)}` : format(value),
  );
  const values = [...total, ...parts];
  const shown = values.length === 0 ? t`nothing` : values.join(' · ');
  return t`${slot?.name ?? ''}: ${shown}`;
}

/** Maximum number of labels, so that neighbouring labels do not overlap. */
const labelsShown = { wide: 6, phone: 3 };

interface GroundProps {
  slot: Slot;
  at: number;
  of: number;
  chosen: boolean;
  onChoose: () => void;
}

function Ground({ slot, at, of, chosen, onChoose }: GroundProps) {
  const step = 100 / of;
  const every = Math.ceil(of / (usePhone() ? labelsShown.phone : labelsShown.wide));
  return (
    <g onMouseEnter={onChoose}>
      <rect
        className={chosen ? 'ground chosen' : 'ground'}
        x={`${at * step}%`}
        width={`${step}%`}
        y={above}
        height={HEIGHT - above}
      />
      {(of - 1 - at) % every === 0 && (
        <text x={`${(at + 0.5) * step}%`} y={HEIGHT - 6} textAnchor={textAnchorOf(at, of)}>
          {slot.tick}
        </text>
      )}
    </g>
  );
}

/** The alignment of a label: the outermost labels must stay within the chart. */
function textAnchorOf(at: number, of: number): 'start' | 'middle' | 'end' {
  if (of > 6 && at === of - 1) return 'end';
  return of > 6 && at === 0 ? 'start' : 'middle';
}

interface DrawnProps {
  series: readonly Series[];
  of: number;
  y: (amount: number) => number;
}

function Columns({ series, of, y }: DrawnProps) {
  const step = 100 / of;
  return (
    <g className="drawn">
      {Array.from({ length: of }, (_, at) =>
        stackAt(series, at).map(({ colour, from, to }, layer) => (
          <rect
            key={`${at} ${layer}`}
            className={`series-${colour}`}
            x={`${(at + 0.18) * step}%`}
            width={`${step * 0.64}%`}
            y={y(to)}
            // One pixel of background separates the layers that are high enough.
            height={Math.max(0.5, y(from) - y(to) - (from > 0 ? 1 : 0))}
          />
        )),
      )}
    </g>
  );
}

function Lines({ series, of, y }: DrawnProps) {
  const x = (at: number) => ((at + 0.5) * 100) / of;
  return (
    <g className="drawn">
      <svg width="100%" height={HEIGHT} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none">
        {series.map(({ colour, values }, line) =>
          lineSegments(values).map((points, part) => (
            <polyline
              key={`${line} ${part}`}
              className={`line series-${colour}`}
              points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}
            />
          )),
        )}
      </svg>
      {series.map(({ colour, values }, line) =>
        lineSegments(values)
          .filter(({ length }) => length === 1 || of <= 40)
          .flat()
          .map(({ at, value }) => (
            <circle
              key={`${line} ${at}`}
              className={`series-${colour}`}
              cx={`${x(at)}%`}
              cy={y(value)}
              r={2.5}
            />
          )),
      )}
    </g>
  );
}
