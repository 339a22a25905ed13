import { plural, t } from '@lingui/core/macro';
import { MAX_GROUPED } from '#contract/flows.ts';
import { flowGroups } from '../data/flow-sources.ts';
import type { FlowFilter, FlowGroup, FlowGroups } from '../data/flow-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatBytes, formatCount, formatEndpoint, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';

interface GroupedFlowsProps {
  filter: FlowFilter;
  range: TimeRange;
  ofOneDevice: boolean;
  filters: Filters;
}

/** Table with one row for each device, process and endpoint. A row links to its flows. */
export function GroupedFlows({ filter, range, ofOneDevice, filters }: GroupedFlowsProps) {
  const reading = useQuery(flowGroups(filter, range));
  const columns = columnsFor(filters, ofOneDevice);
  return (
    <Loaded reading={reading}>
      {(groups) =>
        groups.results.length === 0 ? (
          <Empty title={t`No flow matches these filters`} />
        ) : (
          <>
            <DataTable
              label={t`Groups of flows`}
              columns={columns}
              rows={groups.results}
              rowKey={keyOf}
              stale={reading.stale}
            />
            <p className="muted page-note">{noteOf(groups)}</p>
          </>
        )
      }
    </Loaded>
  );
}

const keyOf = (group: FlowGroup) =>
  JSON.stringify([
    group.device_id,
    group.process,
    group.host ?? group.address,
    group.port,
    group.protocol,
  ]);

function noteOf({ results, group_count, flow_count, complete }: FlowGroups): string {
  const groups = plural(group_count, { one: '# group', other: '# groups' });
  const flows = plural(flow_count, { one: '# flow', other: '# flows' });
  const [shown, most] = [formatCount(results.length), formatCount(MAX_GROUPED)];
  if (results.length < group_count)
    return complete
      ? t`The largest ${shown} of ${groups} of ${flows}`
      : t`The largest ${shown} of ${groups} of the latest ${most} flows`;
  return complete ? t`${groups} of ${flows}` : t`${groups} of the latest ${most} flows`;
}

const device: Column<FlowGroup> = {
  name: t`Device`,
  width: '16%',
  cell: ({ hostname }) => <Clipped text={hostname} />,
};

const columnsFor = (filters: Filters, ofOneDevice: boolean): Column<FlowGroup>[] => [
  {
    name: t`Endpoint`,
    cell: (group) => <Endpoint group={group} filters={filters} />,
  },
  ...(ofOneDevice ? [] : [device]),
  { name: t`Process`, width: '18%', cell: ({ process }) => <Clipped text={process ?? NONE} /> },
  { name: t`Flows`, width: 80, align: 'end', cell: (group) => formatCount(group.flow_count) },
  { name: t`Open`, width: 70, align: 'end', cell: (group) => formatCount(group.open_count) },
  { name: t`In`, width: 76, align: 'end', cell: (group) => formatBytes(group.bytes_in) },
  { name: t`Out`, width: 76, align: 'end', cell: (group) => formatBytes(group.bytes_out) },
  { name: t`First`, width: 106, cell: (group) => <Ago at={group.first_started} /> },
  { name: t`Last`, width: 106, cell: (group) => <Ago at={group.last_started} /> },
];

/** The endpoint of a group, with a button that shows its flows. */
function Endpoint({ group, filters }: { group: FlowGroup; filters: Filters }) {
  const { host, address, port, process, device_id } = group;
  const text = host ?? formatEndpoint(address ?? '', port);
  const show = () =>
    filters.set({ grouped: '', device: device_id, process: process ?? '', host: host ?? '' });
  return (
    <button type="button" className="link" onClick={show}>
      <Clipped mono text={text} />
    </button>
  );
}
