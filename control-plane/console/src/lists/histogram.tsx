import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { PointerEvent } from 'react';
import { formatExact } from '../format.ts';
import { rangeBetween } from './histogram-rules.ts';
import type { Slot } from './histogram-rules.ts';
import './histogram.css';

/** Functions that describe the contents of a histogram. */
export interface HistogramWords {
  value: (value: number) => string;
  /** Describes the failed part of a value; undefined if values cannot fail. */
  errors?: (errors: number) => string;
  /** Describes the total. */
  summary: string;
}

interface HistogramProps {
  slots: readonly Slot[];
  bucketMs: number;
  words: HistogramWords;
  /** Restricts the list to a time range. */
  onChoose: (range: { start: string; end: string }) => void;
}

/** Histogram of a value over time, with failures in red. A click or drag selects a time range. */
export function Histogram({ slots, bucketMs, words, onChoose }: HistogramProps) {
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const most = Math.max(...slots.map(({ value }) => value)) || 1;
  const share = 100 / slots.length;
  const place = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: place(event), to: place(event) });
  };
  const end = () => {
    const range = drag && rangeBetween(slots, bucketMs, drag.from, drag.to);
    setDrag(undefined);
    if (range) onChoose(range);
  };
  return (
    <div className="histogram-place">
      <div
        className="histogram"
        role="img"
        aria-label={summaryOf(slots, words)}
        title={t`Click or drag to choose a time`}
        onPointerDown={begin}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: place(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox="0 0 100 40" preserveAspectRatio="none">
          {slots.map(({ at, value, errors }, index) => (
            <g key={at}>
              <title>{t`${formatExact(at)}: ${textOf(value, errors, words)}`}</title>
              <rect className="slot" x={index * share} width={share} y={0} height={40} />
              <Bar index={index} share={share} most={most} from={errors} to={value} outcome="ran" />
              <Bar index={index} share={share} most={most} from={0} to={errors} outcome="failed" />
            </g>
          ))}
          {drag && (
            <rect
              className="selection"
              x={Math.min(drag.from, drag.to) * 100}
              width={Math.abs(drag.to - drag.from) * 100}
              y={0}
              height={40}
            />
          )}
        </svg>
      </div>
      <HistogramAxis slots={slots} bucketMs={bucketMs} most={words.value(most)} />
    </div>
  );
}

interface HistogramAxisProps {
  slots: readonly Slot[];
  bucketMs: number;
  most: string;
}

/** Labels for the first and last time and for the value of the highest bar. */
function HistogramAxis({ slots, bucketMs, most }: HistogramAxisProps) {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return null;
  const end = last.at + bucketMs;
  return (
    <div className="histogram-axis" aria-hidden="true">
      <span>{formatExact(first.at)}</span>
      <span className="histogram-most">
        <Trans>highest bar: {most}</Trans>
      </span>
      <span>{formatExact(end)}</span>
    </div>
  );
}

interface BarProps {
  index: number;
  share: number;
  most: number;
  from: number;
  to: number;
  outcome: 'ran' | 'failed';
}

function Bar({ index, share, most, from, to, outcome }: BarProps) {
  if (to <= from) return null;
  const [low, high] = [(from / most) * 40, Math.max(1, (to / most) * 40)];
  const gap = share * 0.12;
  return (
    <rect
      className={outcome}
      x={index * share + gap}
      width={share - 2 * gap}
      y={40 - high}
      height={Math.max(0.5, high - low)}
    />
  );
}

const textOf = (value: number, errors: number, words: HistogramWords): string =>
  words.errors ? `${words.value(value)}, ${words.errors(errors)}` : words.value(value);

function summaryOf(slots: readonly Slot[], { summary }: HistogramWords): string {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return summary;
  const [from, to] = [formatExact(first.at), formatExact(last.at)];
  return t`${summary} from ${from} to ${to}`;
}
