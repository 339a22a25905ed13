import { approvalStatuses } from '#contract/approvals.ts';
import { approvalList, pendingApprovals } from '../data/approval-sources.ts';
import type { Approval } from '../data/approval-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { ApprovalDetail } from './approval-detail.tsx';
import { ApprovalState, approvalStatusNames } from './approval-state.tsx';

const limit = 50;

/** Approval requests of agents, newest first. */
export function ApprovalsPage({ user }: { user: User }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const filter = filterOf(filters);
  const reading = useQuery(approvalList({ limit, offset, ...filter }));
  const pending = useQuery(pendingApprovals());
  const onDecided = async () => {
    await Promise.all([reading.refetch(), pending.refetch()]);
  };
  return (
    <Page title="Approvals">
      <ApprovalToolbar filters={filters} />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 && offset === 0 ? (
            <NoApprovals filtered={Object.keys(filter).length > 0} />
          ) : (
            <>
              <DataTable
                label="Approvals"
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                detail={detailFor(user, onDecided)}
                stale={reading.stale}
              />
              <Pager
                label="Pages of approvals"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const detailFor = (user: User, onDecided: () => Promise<void>) =>
  function Detail(approval: Approval) {
    return <ApprovalDetail {...{ approval, user, onDecided }} />;
  };

const columns: Column<Approval>[] = [
  { name: 'Action', width: '22%', cell: (one) => <Clipped text={one.action_type} /> },
  { name: 'Agent', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: 'User', wideOnly: true, cell: ({ user_id }) => <Clipped text={user_id ?? none} /> },
  { name: 'Policy', wideOnly: true, cell: ({ policy_name }) => <Clipped text={policy_name} /> },
  { name: 'Status', width: 108, cell: ({ status }) => <ApprovalState status={status} /> },
  { name: 'Requested', width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'Expires', width: 108, cell: (approval) => <Expiry approval={approval} /> },
];

const Expiry = ({ approval: { status, expires_at } }: { approval: Approval }) =>
  status === 'pending' ? <Ago at={expires_at} /> : <span className="muted">{none}</span>;

function filterOf({ get }: Filters) {
  const status = approvalStatuses.find((one) => one === get('status'));
  const agent = get('agent');
  return { ...(status && { status }), ...(agent && { agent }) };
}

const ApprovalToolbar = ({ filters }: { filters: Filters }) => (
  <div className="toolbar">
    <Select
      label="Status"
      all="All statuses"
      options={approvalStatuses.map((id) => ({ id, name: approvalStatusNames[id] }))}
      value={filters.get('status')}
      onChange={(status) => filters.set({ status })}
    />
    <AgentField filters={filters} />
  </div>
);

function NoApprovals({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No request matches these filters" />;
  return (
    <Empty title="No approval requests yet">
      <p>Policies of the category “approval” require approval before an agent may act.</p>
    </Empty>
  );
}
