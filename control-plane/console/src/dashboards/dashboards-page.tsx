import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { dashboardList } from '../data/dashboard-sources.ts';
import type { DashboardSummary } from '../data/dashboard-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { DashboardDialog } from './dashboard-dialog.tsx';
import type { DashboardDraft } from './dashboard-dialog.tsx';

const pathOf = ({ id }: DashboardSummary) => pathTo('dashboards', id);

const columns: Column<DashboardSummary>[] = [
  {
    name: t`Dashboard`,
    cell: (dashboard) => (
      <Link to={pathOf(dashboard)} className="row-link">
        <Clipped text={dashboard.name} />
      </Link>
    ),
  },
  {
    name: t`Widgets`,
    width: 90,
    align: 'end',
    cell: ({ widget_count }) => formatCount(widget_count),
  },
  {
    name: t`Visible to`,
    width: 130,
    cell: ({ built_in, is_shared }) =>
      built_in ? (
        <Badge>
          <Trans>Built in</Trans>
        </Badge>
      ) : is_shared ? (
        <Badge>
          <Trans>All members</Trans>
        </Badge>
      ) : (
        t`Owner`
      ),
  },
  {
    name: t`Owner`,
    width: '24%',
    wideOnly: true,
    cell: ({ owner }) => <Clipped text={owner ?? NONE} />,
  },
  {
    name: t`Changed`,
    width: 120,
    cell: ({ updated_at }) => (updated_at === null ? NONE : <Ago at={updated_at} />),
  },
];

export function DashboardsPage({ user }: { user: User }) {
  const reading = useQuery(dashboardList());
  const [creating, setCreating] = useState(false);
  const [, navigate] = useLocation();
  const create = async (body: DashboardDraft) => {
    const { id } = await api.dashboards.createDashboard({ body });
    navigate(pathTo('dashboards', id));
  };
  return (
    <Page
      title={t`Dashboards`}
      aside={<CreateButton name={t`Create dashboard`} onClick={() => setCreating(true)} />}
    >
      <Loaded reading={reading}>
        {(dashboards) => (
          <DataTable
            label={t`Dashboards`}
            columns={columns}
            rows={dashboards}
            rowKey={({ id }) => id}
            rowLink={pathOf}
            stale={reading.stale}
          />
        )}
      </Loaded>
      {creating && (
        <DashboardDialog
          title={t`Create dashboard`}
          action={t`Create`}
          first={{ name: '', is_shared: false }}
          user={user}
          onSave={create}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}
