import { t } from '@lingui/core/macro';
import type { Action } from '#contract/policy-actions.ts';
import { Badge } from './badge.tsx';
import type { Tone } from './badge.tsx';

const tones: Record<Action, Tone> = {
  block: 'bad',
  throttle: 'warn',
  skip: 'warn',
  retry: 'warn',
  redact: 'warn',
  warn: 'warn',
  allow: 'neutral',
};

/** Names of policy actions for lists and sentences. */
export const actionNames: Record<Action, string> = {
  block: t`block`,
  throttle: t`throttle`,
  skip: t`skip`,
  retry: t`retry`,
  redact: t`redact`,
  warn: t`warn`,
  allow: t`allow`,
};

/** The action of a policy evaluation. */
export const ActionBadge = ({ action }: { action: Action }) => (
  <Badge tone={tones[action]}>{actionNames[action]}</Badge>
);
