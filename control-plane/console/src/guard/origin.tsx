import { Badge } from '../parts/badge.tsx';

interface OriginProps {
  setHere: boolean;
  /** Says what is inherited and from where. */
  inherited: string;
  editable: boolean;
  /** What goes back to being inherited, for the name of the button. */
  what: string;
  onClear: () => void;
}

/** Whether something is set at this level, and the way back if so. */
export function Origin({ setHere, inherited, editable, what, onClear }: OriginProps) {
  if (!setHere) return <span className="muted">Inherited, {inherited}</span>;
  return (
    <span className="origin">
      <Badge tone="accent">Set here</Badge>
      {editable && (
        <button
          type="button"
          className="link"
          aria-label={`Back to inherited: ${what}`}
          onClick={onClear}
        >
          Back to inherited
        </button>
      )}
    </span>
  );
}
