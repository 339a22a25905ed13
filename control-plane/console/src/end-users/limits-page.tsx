import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { User } from '../data/session.ts';
import { endUserLimitList } from '../data/settings-sources.ts';
import type { EndUserLimits } from '../data/settings-sources.ts';
import { api } from '../data/api.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { LimitsForm } from './limits-form.tsx';

const ROWS = 25;

/** Page for the budgets and rates of end users and groups, which the end-user policies enforce. */
export const LimitsPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`End-user limits`} user={user}>
    <Limits />
  </AdminsOnly>
);

function Limits() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const reading = useQuery(endUserLimitList({ limit: ROWS, offset }));
  const [editing, setEditing] = useState<EndUserLimits | 'new'>();
  const [removing, setRemoving] = useState<EndUserLimits>();
  const add = () => setEditing('new');
  return (
    <Page title={t`End-user limits`} aside={<CreateButton name={t`Add limit`} onClick={add} />}>
      <p className="page-note muted">
        <Trans>
          A limit of a group holds for each of its end users; a limit of the end user comes first.
          Policies of the end-user categories enforce them.
        </Trans>
      </p>
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 ? (
            <Empty title={t`No end user has a limit`}>
              <p>
                <Trans>Limit the budget of a month, or the requests per minute.</Trans>
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                label={t`End-user limits`}
                columns={columnsFor(setEditing, setRemoving)}
                rows={results}
                rowKey={({ kind, id }) => `${kind} ${id}`}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of limits`}
                offset={offset}
                limit={ROWS}
                count={count}
                onMove={(offset) => filters.set({ offset: String(offset || '') })}
              />
            </>
          )
        }
      </Loaded>
      {editing !== undefined && (
        <LimitsForm
          limits={editing === 'new' ? undefined : editing}
          onSaved={reading.refetch}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t`Remove limit`}
          action={t`Remove`}
          onConfirm={() => {
            const { kind, id } = removing;
            return api.endUsers.deleteEndUserLimits({ params: { kind, id } }).then(reading.refetch);
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            <Trans>
              The limits of{' '}
              <strong>
                <Text>{removing.id}</Text>
              </strong>{' '}
              no longer apply.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type Act = (limits: EndUserLimits) => void;

const columnsFor = (onEdit: Act, onRemove: Act): Column<EndUserLimits>[] => [
  { name: t`End user or group`, cell: ({ id }) => <Clipped text={id} /> },
  { name: t`Kind`, width: 90, cell: ({ kind }) => (kind === 'user' ? t`End user` : t`Group`) },
  {
    name: t`Budget per month`,
    width: 136,
    align: 'end',
    cell: ({ monthly_budget }) => (monthly_budget ? formatMoney(monthly_budget) : <NoLimit />),
  },
  {
    name: t`Requests per minute`,
    width: 150,
    align: 'end',
    cell: ({ requests_per_minute }) =>
      requests_per_minute === null ? <NoLimit /> : formatCount(requests_per_minute),
  },
  { name: t`Changed`, width: 104, wideOnly: true, cell: (one) => <Ago at={one.updated_at} /> },
  {
    name: t`Actions`,
    width: 160,
    align: 'end',
    cell: (limits) => (
      <span className="button-row">
        <button
          type="button"
          className="button"
          aria-label={t`Edit the limits of ${limits.id}`}
          onClick={() => onEdit(limits)}
        >
          <Trans>Edit</Trans>
        </button>
        <button
          type="button"
          className="button danger"
          aria-label={t`Remove the limits of ${limits.id}`}
          onClick={() => onRemove(limits)}
        >
          <Trans>Remove</Trans>
        </button>
      </span>
    ),
  },
];

const NoLimit = () => (
  <span className="muted">
    <Trans>no limit</Trans>
  </span>
);
