import { useState } from 'react';
import { actorTypes } from '#contract/audit.ts';
import { auditPage } from '../data/audit-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { auditFilterOf } from './audit-filter.ts';
import { AuditTable } from './audit-table.tsx';
import { ExportDialog } from './export-dialog.tsx';

const limit = 100;

export const AuditPage = ({ user }: { user: User }) => (
  <AdminsOnly title="Audit log" user={user}>
    <AuditLog />
  </AdminsOnly>
);

function AuditLog() {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const [filter, range] = [auditFilterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(auditPage({ limit, offset, ...filter }, range));
  const [exporting, setExporting] = useState(false);
  const { entries = [] } = reading.data ?? {};
  return (
    <Page
      title="Audit log"
      aside={
        <button type="button" className="button" onClick={() => setExporting(true)}>
          Export
        </button>
      }
    >
      <AuditToolbar filters={filters} actions={entries.map(({ action }) => action)} />
      <Loaded reading={reading}>
        {({ entries, count }) =>
          entries.length === 0 && offset === 0 ? (
            <Empty title="No entry matches these filters" />
          ) : (
            <>
              <AuditTable entries={entries} stale={reading.stale} />
              <Pager
                label="Pages of the audit log"
                {...{ offset, limit, count }}
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

const actorNames = { user: 'Users', agent: 'API keys', system: 'System' } as const;

function AuditToolbar({ filters, actions }: { filters: Filters; actions: readonly string[] }) {
  return (
    <div className="toolbar">
      <Select
        label="Actor"
        all="All actors"
        options={actorTypes.map((id) => ({ id, name: actorNames[id] }))}
        value={filters.get('actor')}
        onChange={(actor) => filters.set({ actor })}
      />
      <NameField
        label="Action, for example policy.*"
        suggestions={[...actions, ...actions.map((action) => action.replace(/\.[^.]*$/, '.*'))]}
        value={filters.get('action')}
        onChange={(action) => filters.set({ action })}
      />
      <TimeRangeField filters={filters} />
    </div>
  );
}
