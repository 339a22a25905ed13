import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { approvalStatuses } from '#contract/approvals.ts';
import { api } from '../data/api.ts';
import { approvalList, pendingApprovals } from '../data/approval-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Select } from '../parts/choice.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { approvalStatusNames } from './approval-state.tsx';
import { ApprovalsTable } from './approvals-table.tsx';
import { DecideBar } from './decide-bar.tsx';
import { usePageSelection } from '../lists/page-selection.tsx';
import { mayDecide } from './may-decide.ts';

const LIMIT = 50;

const tabs = [
  { id: 'pending', name: t`Pending` },
  { id: 'history', name: t`History` },
] as const;

const settled = approvalStatuses.filter((status) => status !== 'pending');

/** Approval requests of agents, newest first. */
export function ApprovalsPage({ user }: { user: User }) {
  const filters = useFilters();
  const tab = tabOf(filters);
  return (
    <Page title={t`Approvals`}>
      <Tabs
        label={t`Approval requests`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'history' ? tab : '', status: '' })}
      >
        <Toolbar>
          {tab === 'history' && (
            <Select
              label={t`Status`}
              all={t`All statuses`}
              options={settled.map((id) => ({ id, name: approvalStatusNames[id] }))}
              value={filters.get('status')}
              onChange={(status) => filters.set({ tab, status })}
            />
          )}
          <AgentField filters={filters} />
        </Toolbar>
        <Requests filters={filters} user={user} isHistory={tab === 'history'} />
      </Tabs>
    </Page>
  );
}

/** The tab to show. A link may name a status instead of a tab. */
const tabOf = ({ get }: Filters): 'pending' | 'history' =>
  get('tab') === 'history' || settled.some((status) => status === get('status'))
    ? 'history'
    : 'pending';

interface RequestsProps {
  filters: Filters;
  user: User;
  isHistory: boolean;
}

function Requests({ filters, user, isHistory }: RequestsProps) {
  const offset = offsetOf(filters);
  const filter = filterOf(filters);
  const pending = isHistory ? 'false' : 'true';
  const reading = useQuery(approvalList({ limit: LIMIT, offset, pending, ...filter }));
  const count = useQuery(pendingApprovals());
  const decidable = isHistory
    ? []
    : (reading.data?.results ?? []).filter((approval) => mayDecide(user, approval));
  const selection = usePageSelection(decidable.map(({ id }) => id));
  const refetch = async () => {
    await Promise.all([reading.refetch(), count.refetch()]);
  };
  const decide = async (ids: string[], decision: 'approve' | 'deny', note: string) => {
    const { refused } = await api.approvals.decideApprovals({ body: { ids, decision, note } });
    await refetch();
    selection.clear();
    const [first] = refused;
    if (first) throw new Error(first.error);
  };
  return (
    <Loaded reading={reading}>
      {({ results, count }) => {
        if (results.length === 0 && offset === 0)
          return <NoApprovals filtered={Object.keys(filter).length > 0} isHistory={isHistory} />;
        return (
          <>
            {decidable.length > 0 && (
              <DecideBar count={decidable.length} selection={selection} onDecide={decide} />
            )}
            <ApprovalsTable
              approvals={results}
              user={user}
              isHistory={isHistory}
              selection={decidable.length > 0 ? selection : undefined}
              onDecide={decide}
              onDecided={refetch}
              stale={reading.stale}
            />
            <Pager
              label={t`Pages of approvals`}
              {...{ offset, limit: LIMIT, count }}
              onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
            />
          </>
        );
      }}
    </Loaded>
  );
}

function filterOf({ get }: Filters) {
  const status = settled.find((one) => one === get('status'));
  const agent = get('agent');
  return { ...(status && { status }), ...(agent && { agent }) };
}

function NoApprovals({ filtered, isHistory }: { filtered: boolean; isHistory: boolean }) {
  if (filtered) return <Empty title={t`No request matches these filters`} />;
  if (isHistory) return <Empty title={t`No request was decided or expired yet`} />;
  return (
    <Empty title={t`No pending requests`}>
      <p>
        <Trans>
          Policies of the category “Approval” require approval before an agent may act. Decided and
          expired requests are in the history.
        </Trans>
      </p>
    </Empty>
  );
}
