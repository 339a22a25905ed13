import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { auditRoutes } from '#contract/audit.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import { auditCounts, auditPage, datesOf } from '../data/audit-sources.ts';
import type { AuditEntry } from '../data/audit-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { exportAddress, ActionGroup } from '../lists/list-actions.tsx';
import { ColumnMenu, ExportMenu } from '../lists/list-controls.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { SortedNotice } from '../lists/sorted-notice.tsx';
import { ViewMenu } from '../lists/view-menu.tsx';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { closePopover } from '../parts/popover.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager, Facts } from '../parts/page.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { auditColumns, resourceOf } from './audit-columns.tsx';
import { auditFilterOf, FIRST_AUDIT_SORT } from './audit-filter.ts';
import { AuditToolbar } from './audit-toolbar.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Json } from '../parts/text.tsx';
import { BeforeAndAfter } from '../policies/version-change.tsx';
import { Actor } from '../users/actor.tsx';

const LIST = 'audit';
const LIMIT = 100;

export const AuditPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Audit log`} user={user}>
    <AuditLog />
  </AdminsOnly>
);

function AuditLog() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range] = [auditFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(auditPage({ limit: LIMIT, offset, ...filter }, range));
  const { data: counts } = useQuery(auditCounts(filter, range));
  const [exporting, setExporting] = useState(false);
  const { entries = [] } = reading.data ?? {};
  return (
    <Page
      title={t`Audit log`}
      aside={reading.data && <span className="muted">{totalText(reading.data)}</span>}
    >
      <AuditToolbar
        filters={filters}
        actions={entries.map(({ action }) => action)}
        controls={
          <ActionGroup>
            <ViewMenu list={LIST} />
            <ColumnMenu list={LIST} columns={auditColumns} />
            <ExportMenu
              count={reading.data?.count}
              most={MAX_EXPORTED}
              address={(format) =>
                exportAddress(auditRoutes.exportAuditEntries.path, {
                  ...filter,
                  ...datesOf(range),
                  format,
                })
              }
            >
              <button
                type="button"
                className="menu-item"
                onClick={({ currentTarget }) => {
                  closePopover(currentTarget);
                  setExporting(true);
                }}
              >
                <Trans>Entire log…</Trans>
              </button>
            </ExportMenu>
          </ActionGroup>
        }
      />
      <CountHistogram counts={counts} format={entriesText} range={range} filters={filters} />
      <Loaded reading={reading}>
        {({ entries, count, count_exact: exact, incomplete }) =>
          entries.length === 0 && offset === 0 ? (
            <Empty title={t`No entry matches these filters`} />
          ) : (
            <>
              {incomplete && <SortedNotice rows="entries" />}
              <ListTable
                list={LIST}
                label={t`Audit log`}
                columns={auditColumns}
                rows={entries}
                rowKey={keyOf}
                filters={filters}
                firstSort={FIRST_AUDIT_SORT}
                panel={panelOf}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of the audit log`}
                {...{ offset, limit: LIMIT, count, exact }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
      {exporting && <ExportDialog range={range} onClose={() => setExporting(false)} />}
    </Page>
  );
}

const totalText = ({ count, count_exact }: { count: number; count_exact: boolean }): string =>
  count_exact
    ? entriesText(count)
    : plural(count, { one: 'more than # entry', other: 'more than # entries' });

const entriesText = (count: number): string =>
  plural(count, { one: '# entry', other: '# entries' });

const keyOf = ({ id }: AuditEntry) => id;

/** The rows contain all fields, so an entry that is not on this page has no panel. */
const panelOf = (_key: string, entry: AuditEntry | undefined) =>
  entry
    ? {
        title: `${formatCount(entry.sequence)}: ${entry.action}`,
        content: <AuditEntryContent entry={entry} />,
      }
    : { title: t`Entry`, content: <Empty title={t`It is not on this page of the list`} /> };

/** Side panel of an audit entry, with the state before and after the change. */
function AuditEntryContent({ entry }: { entry: AuditEntry }) {
  const { before, after, ...details } = entry.metadata;
  const facts = [
    [t`Sequence`, formatCount(entry.sequence)],
    [t`Time`, formatExact(Date.parse(entry.created_at))],
    [t`Actor`, <Actor key="actor" type={entry.actor_type} id={entry.actor_id} />],
    [t`Actor id`, <Clipped key="actor-id" mono text={entry.actor_id} />],
    [t`IP address`, entry.ip ?? NONE],
    [t`Object`, <Clipped key="resource" mono text={resourceOf(entry)} />],
    [t`Hash`, <Clipped key="hash" mono text={entry.hash} />],
  ] as const;
  return (
    <div className="stack">
      <Facts facts={facts} />
      <BeforeAndAfter before={before} after={after} />
      {Object.keys(details).length > 0 && <Json value={details} label={t`Details`} />}
    </div>
  );
}
