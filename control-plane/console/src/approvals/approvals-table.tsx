import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Approval } from '../data/approval-sources.ts';
import type { User } from '../data/session.ts';
import { formatExact, NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Ago, Remaining } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { markInvisible } from '../mark-invisible.ts';
import { ApprovalDetail } from './approval-detail.tsx';
import { ApprovalState } from './approval-state.tsx';
import type { DecideMany } from './decide-bar.tsx';
import type { PageSelection } from '../lists/page-selection.tsx';
import { approversText, mayDecide } from './may-decide.ts';
import { actionSummary, costText } from './requested-action.tsx';

interface ApprovalsTableProps {
  approvals: readonly Approval[];
  user: User;
  isHistory: boolean;
  /** Undefined if the user may decide none of them. */
  selection: PageSelection | undefined;
  onDecide: DecideMany;
  onDecided: () => Promise<void>;
  stale: boolean;
}

/**
 * Table of requests with their actions. An expanded row shows the full action and a comment field.
 */
export const ApprovalsTable = (props: ApprovalsTableProps) => (
  <DataTable
    label={t`Approvals`}
    columns={columnsOf(props)}
    rows={props.approvals}
    rowKey={({ id }) => id}
    rowName={nameOf}
    detail={detailFor(props)}
    stale={props.stale}
  />
);

const nameOf = ({ action_type, created_at }: Approval): string =>
  `${action_type}, ${formatExact(Date.parse(created_at))}`;

const detailFor = ({ user, onDecided }: ApprovalsTableProps) =>
  function Detail(approval: Approval) {
    return <ApprovalDetail {...{ approval, user, onDecided }} />;
  };

function columnsOf({
  user,
  isHistory,
  selection,
  onDecide,
}: ApprovalsTableProps): Column<Approval>[] {
  const common: Column<Approval>[] = [
    {
      name: t`Requested action`,
      width: '28%',
      cell: (approval) => (
        <span className="selectable-name">
          {selection && mayDecide(user, approval) && (
            <input
              type="checkbox"
              aria-label={t`Select ${markInvisible(nameOf(approval))}`}
              checked={selection.keys.has(approval.id)}
              onChange={() => selection.toggle(approval.id)}
            />
          )}
          <Clipped text={actionSummary(approval)} />
        </span>
      ),
    },
    { name: t`Agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
    { name: t`Cost`, width: 84, align: 'end', wideOnly: true, cell: costText },
    {
      name: t`Risk`,
      width: 86,
      cell: ({ request }) => <Risk level={request?.risk_level ?? null} />,
    },
    { name: t`Requested`, width: 108, wideOnly: true, cell: (one) => <Ago at={one.created_at} /> },
  ];
  if (isHistory)
    return [
      ...common,
      { name: t`Status`, width: 108, cell: ({ status }) => <ApprovalState status={status} /> },
      { name: t`Decided by`, cell: ({ decided_by }) => <Clipped text={decided_by ?? NONE} /> },
      { name: t`Comment`, wideOnly: true, cell: ({ note }) => <Clipped text={note || NONE} /> },
    ];
  return [
    ...common,
    {
      name: t`Who may decide`,
      wideOnly: true,
      cell: ({ approvers }) => <Clipped text={approversText(approvers)} />,
    },
    { name: t`Expires in`, width: 96, cell: (one) => <Remaining until={one.expires_at} /> },
    {
      name: t`Decision`,
      width: 178,
      cell: (approval) =>
        mayDecide(user, approval) ? <RowDecision approval={approval} onDecide={onDecide} /> : NONE,
    },
  ];
}

const tones: Record<string, Tone> = { high: 'bad', critical: 'bad', medium: 'warn' };

const Risk = ({ level }: { level: string | null }) =>
  level === null ? NONE : <Badge tone={tones[level] ?? 'neutral'}>{level}</Badge>;

function RowDecision({ approval, onDecide }: { approval: Approval; onDecide: DecideMany }) {
  const { error, busy, attempt } = useAttempt();
  const decide = (decision: 'approve' | 'deny') =>
    void attempt(() => onDecide([approval.id], decision, ''));
  const name = markInvisible(nameOf(approval));
  return (
    <span className="row-decision">
      <button
        type="button"
        className="button"
        aria-label={t`Approve ${name}`}
        disabled={busy}
        onClick={() => decide('approve')}
      >
        <Trans>Approve</Trans>
      </button>
      <button
        type="button"
        className="button danger"
        aria-label={t`Deny ${name}`}
        disabled={busy}
        onClick={() => decide('deny')}
      >
        <Trans>Deny</Trans>
      </button>
      {error !== undefined && (
        <span className="form-error" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}
