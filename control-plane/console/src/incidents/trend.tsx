import { plural } from '@lingui/core/macro';
import { formatExact } from '../format.ts';
import './trend.css';

interface TrendProps {
  values: readonly number[];
  /** Start of the first bar. */
  start: string;
  seconds: number;
}

/** Occurrences over time as small bars. */
export function Trend({ values, start, seconds }: TrendProps) {
  const most = Math.max(1, ...values);
  const from = Date.parse(start);
  const sum = values.reduce((all, value) => all + value, 0);
  const width = 100 / values.length;
  const since = formatExact(from);
  const label = plural(sum, {
    one: `# occurrence since ${since}`,
    other: `# occurrences since ${since}`,
  });
  return (
    <svg
      className="trend"
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {values.map((value, at) => {
        const height = value === 0 ? 1 : Math.max(3, (value / most) * 20);
        return (
          <rect
            key={from + at * seconds * 1000}
            className={value === 0 ? 'none' : 'some'}
            x={at * width + width * 0.1}
            y={20 - height}
            width={width * 0.8}
            height={height}
          />
        );
      })}
    </svg>
  );
}
