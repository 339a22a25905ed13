import { formatPercent } from '../format.ts';
import './share.css';

interface PercentageBarProps {
  /** From 0 to 100. */
  percentage: number;
  /** Index in the chart palette; defaults to the accent colour. */
  colour?: number;
}

/** A percentage as text and as a bar. */
export function PercentageBar({ percentage, colour }: PercentageBarProps) {
  const bar = colour === undefined ? 'bar' : `bar series-${colour}`;
  return (
    <span className="share">
      <span className="timeline" aria-hidden="true">
        {percentage > 0 && <span className={bar} style={{ width: `${percentage}%` }} />}
      </span>
      <span>{formatPercent(percentage)}</span>
    </span>
  );
}
