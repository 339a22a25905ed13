import { t, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { GuardConfig, GuardLevel, CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import { guardPreview } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Text } from '../parts/text.tsx';
import { ChangePreview } from './change-preview.tsx';
import type { Inherited } from './inherited.ts';
import type { Draft } from './layer-draft.ts';
import { effectiveOf } from './layer-draft.ts';

interface SaveBarProps {
  level: GuardLevel;
  /** An empty string for the global layer. */
  scope: string;
  /** The configuration that saving would store. */
  config: GuardConfig;
  draft: Draft;
  inherited: Inherited;
  saving: boolean;
  error: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** Sticky bar that shows what saving would change and on how many devices. */
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
        // Saving is possible only after the preview has been shown or has failed.
        disabled={saving || (current === undefined && preview.error === undefined)}
        onClick={onSave}
      >
        <Trans>Save</Trans>
      </button>
    </div>
  );
}

/** Describes the state after saving in a few sentences. */
function outcomeOf(draft: Draft, inherited: Inherited): string {
  if (Object.keys(draft).length === 0) return t`This level will inherit everything.`;
  const effective = effectiveOf(draft, inherited);
  const { coding_agents: level } = effective;
  const agents = draft.coding_agents === undefined ? [] : [agentOutcomes[level]];
  const checks = draft.tool_checks === undefined ? [] : [checkOutcomes[effective.tool_checks]];
  return [captureOutcome(effective), ...agents, ...checks].join(' ');
}

const agentOutcomes: Record<CodingAgentLevel, string> = {
  off: t`Coding agents will not be recorded.`,
  metadata: t`Coding agents will be recorded: metadata only.`,
  prompts: t`Coding agents will be recorded: with prompts and answers.`,
  tools: t`Coding agents will be recorded: with prompts and tool content.`,
};

const checkOutcomes: Record<ToolCheckMode, string> = {
  off: t`Tool calls will not be checked.`,
  open: t`Tool calls will be checked, allowed while offline.`,
  closed: t`Tool calls will be checked, refused while offline.`,
};

function captureOutcome(effective: ReturnType<typeof effectiveOf>): string {
  const { capture_enabled, intercept_hosts, enforce_policies } = effective;
  if (!capture_enabled) return t`Capture will be off.`;
  return enforce_policies
    ? plural(intercept_hosts.length, {
        one: 'Capture will be on for # host, with policy enforcement.',
        other: 'Capture will be on for # hosts, with policy enforcement.',
      })
    : plural(intercept_hosts.length, {
        one: 'Capture will be on for # host.',
        other: 'Capture will be on for # hosts.',
      });
}
