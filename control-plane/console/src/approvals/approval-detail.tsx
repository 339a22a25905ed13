import { Link } from 'wouter';
import type { Approval } from '../data/approval-sources.ts';
import type { User } from '../data/session.ts';
import { none } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { Decide } from './decide.tsx';
import { mayDecide } from './may-decide.ts';

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
    {approval.status === 'pending' && mayDecide(user, approval) && (
      <Decide approval={approval} onDecided={onDecided} />
    )}
  </div>
);

function factsOf(approval: Approval) {
  const { policy_id, policy_name, approvers, decided_at, decided_by } = approval;
  return [
    [
      'Policy',
      <Link key="policy" to={pathTo('policies', policy_id)}>
        <Text>{policy_name}</Text>
      </Link>,
    ],
    ['Agent', approval.agent_name],
    ['Workflow', approval.workflow_name],
    ['Agent instance', approval.agent_id ?? none],
    ['User', approval.user_id ?? none],
    ['Approvers', approvers.length === 0 ? 'all admins' : approvers.join(', ')],
    ['Expires', <Ago key="until" at={approval.expires_at} />],
    ['Decided by', decided_by ?? none],
    ['Decided', decided_at === null ? none : <Ago key="decided" at={decided_at} />],
    ['Note', approval.note || none],
  ] as const;
}
