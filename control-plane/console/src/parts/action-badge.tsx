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

/** The action of a policy evaluation. */
export const ActionBadge = ({ action }: { action: Action }) => (
  <Badge tone={tones[action]}>{action}</Badge>
);
