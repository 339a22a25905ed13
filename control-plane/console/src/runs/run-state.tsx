import { t } from '@lingui/core/macro';
import type { RunStatus } from '../data/run-sources.ts';
import { State } from '../parts/badge.tsx';

export const statusNames: Record<RunStatus, string> = {
  running: t`Running`,
  success: t`Success`,
  error: t`Error`,
};

const tones = { running: 'accent', success: 'good', error: 'bad' } as const;

export const RunState = ({ status }: { status: RunStatus }) => (
  <State tone={tones[status]}>{statusNames[status]}</State>
);
