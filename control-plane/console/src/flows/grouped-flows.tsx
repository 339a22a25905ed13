import { MAX_GROUPED } from '#contract/flows.ts';
import { flowGroups } from '../data/flow-sources.ts';
import type { FlowFilter, FlowGroup, FlowGroups } from '../data/flow-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatBytes, formatCount, formatEndpoint, formatMany, NONE } from '../format.ts';
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

/** Flows of one device, process and endpoint as one row; a row leads to its flows. */
export function GroupedFlows({ filter, range, ofOneDevice, filters }: GroupedFlowsProps) {
  const reading = useQuery(flowGroups(filter, range));
  const columns = columnsFor(filters).filter(({ name }) => !(ofOneDevice && name === 'Device'));
  return (
    <Loaded reading={reading}>
      {(groups) =>
        groups.results.length === 0 ? (
          <Empty title="No flow matches these filters" />
        ) : (
          <>
            <DataTable
              label="Groups of flows"
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
  const flows = complete
    ? formatMany(flow_count, 'flow')
    : `the latest ${formatCount(MAX_GROUPED)} flows`;
  const shown =
    results.length < group_count
      ? `The largest ${formatCount(results.length)} of ${formatMany(group_count, 'group')}`
      : formatMany(group_count, 'group');
  return `${shown} of ${flows}`;
}

const columnsFor = (filters: Filters): Column<FlowGroup>[] => [
  {
    name: 'Endpoint',
    cell: (group) => <Endpoint group={group} filters={filters} />,
  },
  { name: 'Device', width: '16%', cell: ({ hostname }) => <Clipped text={hostname} /> },
  { name: 'Process', width: '18%', cell: ({ process }) => <Clipped text={process ?? NONE} /> },
  { name: 'Flows', width: 80, align: 'end', cell: (group) => formatCount(group.flow_count) },
  { name: 'Open', width: 70, align: 'end', cell: (group) => formatCount(group.open_count) },
  { name: 'In', width: 76, align: 'end', cell: (group) => formatBytes(group.bytes_in) },
  { name: 'Out', width: 76, align: 'end', cell: (group) => formatBytes(group.bytes_out) },
  { name: 'First', width: 106, cell: (group) => <Ago at={group.first_started} /> },
  { name: 'Last', width: 106, cell: (group) => <Ago at={group.last_started} /> },
];

/** Shows the flows of the group. */
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
