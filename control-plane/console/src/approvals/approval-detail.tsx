import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { Approval } from '../data/approval-sources.ts';
import type { User } from '../data/session.ts';
import { formatExact, NONE } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { Decide } from './decide.tsx';
import { approversText, mayDecide } from './may-decide.ts';
import { costText, RequestedAction } from './requested-action.tsx';

interface ApprovalDetailProps {
  approval: Approval;
  user: User;
  onDecided: () => Promise<void>;
}

export const ApprovalDetail = ({ approval, user, onDecided }: ApprovalDetailProps) => (
  <div className="detail-body">
    <p className="whole">
      <Text>{approval.reason}</Text>
    </p>
    <Facts facts={factsOf(approval)} />
    <RequestedAction approval={approval} />
    {approval.status === 'pending' && mayDecide(user, approval) && (
      <Decide approval={approval} onDecided={onDecided} />
    )}
  </div>
);

function factsOf(approval: Approval) {
  const { policy_id, policy_name, approvers, decided_at, decided_by } = approval;
  return [
    [
      t`Policy`,
      <Link key="policy" to={pathTo('policies', policy_id)}>
        <Text>{policy_name}</Text>
      </Link>,
    ],
    [t`Action`, approval.action_type],
    [t`Estimated cost`, costText(approval)],
    [t`Risk`, approval.request?.risk_level ?? NONE],
    [t`Agent`, approval.agent_name],
    [t`Workflow`, approval.workflow_name],
    [t`Agent instance`, approval.agent_id ?? NONE],
    [t`User`, approval.user_id ?? NONE],
    [t`Who may decide`, approversText(approvers)],
    [t`Expires`, formatExact(Date.parse(approval.expires_at))],
    [t`Decided by`, decided_by ?? NONE],
    [t`Decided`, decided_at === null ? NONE : <Ago key="decided" at={decided_at} />],
    [t`Comment`, approval.note || NONE],
  ] as const;
}
