import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge } from '../parts/badge.tsx';
import './origin.css';

interface OriginProps {
  setHere: boolean;
  /** Describes the layer that the value is inherited from, such as `from Global`. */
  inherited: string;
  editable: boolean;
  /** Name of the setting, for the accessible name of the button. */
  what: string;
  onClear: () => void;
}

/**
 * Shows whether a setting is set on this layer or inherited. A setting of this layer can be reset.
 */
export function Origin({ setHere, inherited, editable, what, onClear }: OriginProps) {
  if (!setHere)
    return (
      <span className="muted">
        <Trans>Inherited, {inherited}</Trans>
      </span>
    );
  return (
    <span className="origin">
      <Badge tone="accent">
        <Trans>Overridden here</Trans>
      </Badge>
      {editable && (
        <button
          type="button"
          className="link"
          aria-label={t`Reset to inherited: ${what}`}
          onClick={onClear}
        >
          <Trans>Reset to inherited</Trans>
        </button>
      )}
    </span>
  );
}
