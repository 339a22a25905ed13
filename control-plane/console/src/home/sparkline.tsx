import './sparkline.css';

const WIDTH = 100;
const HEIGHT = 28;

/** Small chart of a figure over time. Decorative, because the figure itself is text. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const most = Math.max(...values.map((value) => value ?? 0), 0);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {values.map((value, at) => (
        <rect
          key={at}
          x={(at * WIDTH) / values.length}
          width={(WIDTH / values.length) * 0.72}
          y={HEIGHT - heightOf(value, most)}
          height={heightOf(value, most)}
        />
      ))}
    </svg>
  );
}

/** Height of a bar. A value above zero is always visible. */
const heightOf = (value: number | null, most: number): number =>
  value === null || value === 0 || most === 0 ? 0.6 : Math.max(2, (value / most) * HEIGHT);
