import { t } from '@lingui/core/macro';
import type { ApprovalStatus } from '../data/approval-sources.ts';
import { State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';

export const approvalStatusNames: Record<ApprovalStatus, string> = {
  pending: t`Pending`,
  approved: t`Approved`,
  denied: t`Denied`,
  expired: t`Expired`,
};

const tones: Record<ApprovalStatus, Tone> = {
  pending: 'warn',
  approved: 'good',
  denied: 'bad',
  expired: 'neutral',
};

export const ApprovalState = ({ status }: { status: ApprovalStatus }) => (
  <State tone={tones[status]}>{approvalStatusNames[status]}</State>
);
