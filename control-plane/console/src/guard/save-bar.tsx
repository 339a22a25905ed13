import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { GuardConfig, GuardLevel } from '#contract/guard.ts';
import { guardPreview } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Text } from '../parts/text.tsx';
import { ChangePreview } from './change-preview.tsx';
import type { Inherited } from './inherited.ts';
import { outcomeOf } from './outcome.ts';
import type { Draft } from './layer-draft.ts';

interface SaveBarProps {
  level: GuardLevel;
  /** Empty for the global layer. */
  scope: string;
  /** The layer as it would be saved. */
  config: GuardConfig;
  draft: Draft;
  inherited: Inherited;
  saving: boolean;
  error: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** Sticky bar with what saving would change, and on how many devices. */
export function SaveBar(props: SaveBarProps) {
  const { level, scope, config, draft, inherited, saving, error, onSave, onDiscard } = props;
  const isEmpty = Object.keys(config).length === 0;
  const preview = useQuery(
    guardPreview({ layer: level, scope: scope || null, config: isEmpty ? null : config }),
  );
  const current = preview.stale ? undefined : preview.data;
  return (
    <div className="save-bar" role="region" aria-label={t`Unsaved changes`}>
      <div className="save-outcome">
        <strong>
          <Trans>Not saved.</Trans>
        </strong>{' '}
        {outcomeOf(draft, inherited)}
        <div aria-live="polite" aria-busy={current === undefined && preview.error === undefined}>
          {current && <ChangePreview preview={current} level={level} />}
        </div>
        {(error ?? preview.error) !== undefined && (
          <span className="form-error" role="alert">
            <Text>{error ?? preview.error ?? ''}</Text>
          </span>
        )}
      </div>
      <button type="button" className="button" disabled={saving} onClick={onDiscard}>
        <Trans>Discard</Trans>
      </button>
      <button
        type="button"
        className="button primary"
        // What a change does to which devices is seen first.
        disabled={saving || (current === undefined && preview.error === undefined)}
        onClick={onSave}
      >
        <Trans>Save</Trans>
      </button>
    </div>
  );
}
