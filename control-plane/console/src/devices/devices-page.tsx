import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { deviceList } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMany } from '../format.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { AppNotes } from './app-notes.tsx';
import { DeployGuide } from './deploy-guide.tsx';
import { DevicesTable } from './devices-table.tsx';
import { RequireApproval } from './require-approval.tsx';

const limit = 50;

export function DevicesPage({ user }: { user: User }) {
  const filters = useFilters();
  const search = filters.get('search');
  const offset = offsetOf(filters);
  const reading = useQuery(deviceList({ limit, offset, ...(search ? { search } : {}) }));
  return (
    <Page title="Devices" aside={reading.data && <Total count={reading.data.count} />}>
      <div className="toolbar">
        <SearchField
          label="Search devices"
          value={search}
          onChange={(search) => filters.set({ search })}
        />
      </div>
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <NoDevices search={search} />
          ) : (
            <>
              <DevicesTable devices={results} stale={reading.stale} />
              <Pager
                label="Pages of devices"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
      <RequireApproval editable={mayAdminister(user)} />
      <AppNotes editable={mayAdminister(user)} />
    </Page>
  );
}

const Total = ({ count }: { count: number }) => (
  <span className="muted">{formatMany(count, 'device')}</span>
);

function NoDevices({ search }: { search: string }) {
  if (!search) return <DeployGuide />;
  return (
    <Empty title={`No device matches “${search}”`}>
      <p>The search covers hostnames and users.</p>
    </Empty>
  );
}
