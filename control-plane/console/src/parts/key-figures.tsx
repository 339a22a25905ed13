import type { ReactNode } from 'react';
import './numbers.css';

/** A row of key figures. */
export function KeyFigures({ numbers }: { numbers: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="numbers">
      {numbers.map(([name, value]) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
