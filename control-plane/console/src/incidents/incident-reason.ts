import { t } from '@lingui/core/macro';
import type { Incident } from '../data/incident-sources.ts';
import { riskWords } from '../devices/risk-words.ts';
import type { Phase } from '#contract/policy-actions.ts';

/**
 * The reason of an incident. Inventory rules quote risk flags by id, which are replaced with names.
 */
export const incidentReason = ({ source, reason }: Pick<Incident, 'source' | 'reason'>): string =>
  source === 'inventory'
    ? reason.replace(/(?<= has the risk )\w+(?:, \w+)*$/, (flags) =>
        flags
          .split(', ')
          .map((flag) => `“${riskWords(flag).name}”`)
          .join(', '),
      )
    : reason;

export const phaseNames: Record<Phase, string> = {
  before_workflow: t`Before run`,
  mid_execution: t`During run`,
  after_workflow: t`After run`,
  on_failure: t`On failure`,
};
