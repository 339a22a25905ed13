import { Link } from 'wouter';
import type { Change } from './change.ts';
import { Sparkline } from './sparkline.tsx';
import './figure-card.css';

export interface Figure {
  name: string;
  /** URL of the list behind the figure. */
  to: string;
  value: string;
  /** The unit, if the value does not contain it. */
  note?: string;
  change: Change;
  course?: readonly (number | null)[];
}

/** A key figure with its change. It links to the list behind it. */
export const FigureCard = ({ name, to, value, note, change, course }: Figure) => (
  <li>
    <Link to={to} className="card figure">
      <span className="figure-name">{name}</span>
      <span className="figure-value">{value}</span>
      {note !== undefined && <span className="figure-note">{note}</span>}
      <span className={`figure-change ${change.tone}`}>{change.text}</span>
      {course && <Sparkline values={course} />}
    </Link>
  </li>
);
