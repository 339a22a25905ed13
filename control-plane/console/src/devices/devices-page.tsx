import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { devicesRoutes } from '#contract/devices.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { deviceCounts, deviceList } from '../data/device-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { LoadedList } from '../data/load-pages.ts';
import type { QueryResult } from '../data/use-query.ts';
import { useQuery } from '../data/use-query.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { shownTimeOf } from '../lists/list-times.ts';
import { ListTable } from '../lists/list-table.tsx';
import { usePageSelection } from '../lists/page-selection.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { AppNotes } from './app-notes.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { deviceColumns } from './device-columns.tsx';
import { deviceFilterOf, deviceSortOf, deviceTimes, FIRST_DEVICE_SORT } from './device-filter.ts';
import { DevicePanel } from './device-panel.tsx';
import { DeviceToolbar } from './device-toolbar.tsx';
import { RequireApproval } from './require-approval.tsx';

const LIST = 'devices';
const LIMIT = 50;

export function DevicesPage({ user }: { user: User }) {
  const filters = useFilters();
  const [filter, sort, range] = [
    deviceFilterOf(filters),
    deviceSortOf(filters),
    timeRangeOf(filters),
  ];
  const reading = useQuery(
    deviceList({ limit: LIMIT, offset: offsetOf(filters), sort, ...filter }, range),
  );
  const by = shownTimeOf(filters, deviceTimes);
  const { data: counts } = useQuery(deviceCounts({ ...filter, by }, range));
  return (
    <Page title={t`Devices`} aside={reading.data && <Total count={reading.data.count} />}>
      <DeviceToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={deviceColumns}
            count={reading.data?.count}
            path={devicesRoutes.exportDevices.path}
            query={() => ({ ...filter, ...queryOf(range, Date.now()), sort })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# device', other: '# devices' })}
        times={deviceTimes}
        range={range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {(list) =>
          list.count === 0 ? (
            <NoDevices filtered={Object.keys({ ...filter, ...range }).length > 0} />
          ) : (
            <DeviceRows list={list} {...{ reading, filters, user }} />
          )
        }
      </Loaded>
      <RequireApproval editable={mayAdminister(user)} />
      <AppNotes editable={mayAdminister(user)} />
    </Page>
  );
}

interface DeviceRowsProps {
  list: LoadedList<Device>;
  reading: QueryResult<LoadedList<Device>>;
  filters: Filters;
  user: User;
}

function DeviceRows({ list: { results, count }, reading, filters, user }: DeviceRowsProps) {
  const selection = usePageSelection(results.map(({ id }) => id));
  return (
    <>
      <BulkActions
        devices={results.filter(({ id }) => selection.keys.has(id))}
        onClear={selection.clear}
        onDecided={reading.refetch}
      />
      <ListTable
        list={LIST}
        label={t`Devices`}
        columns={deviceColumns}
        rows={results}
        rowKey={({ id }) => id}
        filters={filters}
        firstSort={FIRST_DEVICE_SORT}
        panel={panelOf}
        {...(mayAdminister(user) && {
          selection: { ...selection, nameOf: ({ hostname }: Device) => hostname },
        })}
        stale={reading.stale}
      />
      <Pager
        label={t`Pages of devices`}
        {...{ offset: offsetOf(filters), limit: LIMIT, count }}
        onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
      />
    </>
  );
}

const panelOf = (id: string, device: Device | undefined) => ({
  title: device?.hostname ?? t`Device`,
  page: pathTo('devices', id),
  content: <DevicePanel key={id} id={id} />,
});

const Total = ({ count }: { count: number }) => (
  <span className="muted">
    {plural(count, { one: '# device', other: '# devices' })} ·{' '}
    <Link to="/devices/add">
      <Trans>Add devices</Trans>
    </Link>
  </span>
);

function NoDevices({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No device matches these filters`} />;
  return (
    <Empty title={t`No device has enrolled yet`}>
      <p>
        <Trans>
          <Link to="/devices/add">Add devices</Link> to see and guard the AI apps on them.
        </Trans>
      </p>
    </Empty>
  );
}
