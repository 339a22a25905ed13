import { Badge } from '../parts/badge.tsx';
import './origin.css';

interface OriginProps {
  setHere: boolean;
  /** The layer that the value is inherited from, such as `from Global`. */
  inherited: string;
  editable: boolean;
  /** Name of the setting, for the accessible name of the button. */
  what: string;
  onClear: () => void;
}

/** Shows whether a setting is set on this layer or inherited; a set one can be reset. */
export function Origin({ setHere, inherited, editable, what, onClear }: OriginProps) {
  if (!setHere) return <span className="muted">Inherited, {inherited}</span>;
  return (
    <span className="origin">
      <Badge tone="accent">Overridden here</Badge>
      {editable && (
        <button
          type="button"
          className="link"
          aria-label={`Reset to inherited: ${what}`}
          onClick={onClear}
        >
          Reset to inherited
        </button>
      )}
    </span>
  );
}
