import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Simulation } from '../data/policy-sources.ts';
import './affected-chart.css';

type Point = Simulation['over_time'][number];

/** Chart of runs by day. Runs that the policy would have affected are red. */
export function AffectedChart({ points }: { points: readonly Point[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(...points.map(({ runs }) => runs));
  const affected = points.reduce((sum, { not_allowed }) => sum + not_allowed, 0);
  const width = 100 / points.length;
  return (
    <figure className="affected-chart">
      <svg
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={plural(affected, {
          one: `# affected run from ${dayOf(first)} to ${dayOf(last)}`,
          other: `# affected runs from ${dayOf(first)} to ${dayOf(last)}`,
        })}
      >
        {points.map((point, at) => (
          <g key={point.start}>
            <title>
              {plural(point.not_allowed, {
                one: `${dayOf(point)}: # affected run of ${point.runs}`,
                other: `${dayOf(point)}: # affected runs of ${point.runs}`,
              })}
            </title>
            <Bar at={at} width={width} height={(point.runs / most) * 40} look="runs" />
            <Bar at={at} width={width} height={(point.not_allowed / most) * 40} look="affected" />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{dayOf(first)}</span>
        <span>
          <Trans>Runs by day (UTC), affected in red</Trans>
        </span>
        <span>{dayOf(last)}</span>
      </figcaption>
    </figure>
  );
}

const dayOf = ({ start }: Point): string => start.slice(0, 10);

interface BarProps {
  at: number;
  width: number;
  height: number;
  look: 'runs' | 'affected';
}

const Bar = ({ at, width, height, look }: BarProps) =>
  height > 0 && (
    <rect
      className={look}
      x={at * width + width * 0.1}
      y={40 - Math.max(1, height)}
      width={width * 0.8}
      height={Math.max(1, height)}
    />
  );
