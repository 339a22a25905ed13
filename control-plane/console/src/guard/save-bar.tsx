import { formatMany } from '../format.ts';
import type { Inherited } from './inherited.ts';
import { effectiveOf } from './layer-draft.ts';
import type { Draft } from './layer-draft.ts';

interface SaveBarProps {
  draft: Draft;
  inherited: Inherited;
  saving: boolean;
  error: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** Sticky bar with the outcome of the unsaved changes. */
export function SaveBar({ draft, inherited, saving, error, onSave, onDiscard }: SaveBarProps) {
  return (
    <div className="save-bar" role="region" aria-label="Unsaved changes">
      <span>
        <strong>Not saved.</strong> {outcomeOf(draft, inherited)}
        {error !== undefined && (
          <span className="form-error" role="alert">
            {error}
          </span>
        )}
      </span>
      <button type="button" className="button" disabled={saving} onClick={onDiscard}>
        Discard
      </button>
      <button type="button" className="button primary" disabled={saving} onClick={onSave}>
        Save
      </button>
    </div>
  );
}

function outcomeOf(draft: Draft, inherited: Inherited): string {
  if (Object.keys(draft).length === 0) return 'This level will inherit everything.';
  const { capture_enabled, intercept_hosts, enforce_policies } = effectiveOf(draft, inherited);
  if (!capture_enabled) return 'Capture will be off.';
  const hosts = formatMany(intercept_hosts.length, 'host');
  return `Capture will be on for ${hosts}${enforce_policies ? ', with policy enforcement' : ''}.`;
}
