import { useState } from 'react';
import { Link } from 'wouter';
import type { CatalogHost } from '../data/guard-sources.ts';
import { findCatalogHost } from '../data/catalog.ts';
import type { Flow } from '../data/flow-sources.ts';
import { formatBytes, formatEndpoint, formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { ListTable } from '../lists/list-table.tsx';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { Empty } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import type { Filters } from '../use-filters.ts';
import { FIRST_FLOW_SORT } from './flow-filter.ts';
import { flowKey } from './held-flows.ts';
import './flow-table.css';

interface FlowTableProps {
  flows: readonly Flow[];
  hosts: readonly CatalogHost[];
  /** Hides the device column. */
  ofOneDevice: boolean;
  filters: Filters;
  stale: boolean;
}

export const FLOW_LIST = 'flows';

export function FlowTable({ flows, hosts, ofOneDevice, filters, stale }: FlowTableProps) {
  const [openedAt] = useState(() => Date.now());
  return (
    <ListTable
      list={FLOW_LIST}
      label="Flows"
      columns={flowColumns(hosts, ofOneDevice)}
      rows={flows}
      rowKey={flowKey}
      rowClass={({ started_at }) => (Date.parse(started_at) > openedAt ? 'arriving' : '')}
      filters={filters}
      firstSort={FIRST_FLOW_SORT}
      panel={panelOf}
      stale={stale}
    />
  );
}

/** The rows hold all that is known; a flow that is not in the list cannot be shown. */
const panelOf = (_key: string, flow: Flow | undefined) =>
  flow
    ? {
        title: `${flow.process ?? 'Flow'}: ${flow.host ?? formatEndpoint(flow.address, flow.port)}`,
        page: `/devices/${flow.device_id}?tab=flows`,
        content: <FlowFacts flow={flow} />,
      }
    : { title: 'Flow', content: <Empty title="It is not among the flows that are shown" /> };

const FlowFacts = ({ flow }: { flow: Flow }) => (
  <Facts
    facts={[
      ['State', <FlowState key="state" flow={flow} />],
      ['Started', formatExact(Date.parse(flow.started_at))],
      ['Duration', <Lasting key="duration" from={flow.started_at} to={flow.ended_at} />],
      ['Device', flow.hostname],
      ['User', flow.user ?? NONE],
      ['Process', flow.process ?? NONE],
      ['Process id', flow.pid === null ? NONE : String(flow.pid)],
      ['Path', flow.path ?? NONE],
      ['App', flow.app_id ?? NONE],
      ['Host', flow.host ?? NONE],
      ['Address', formatEndpoint(flow.address, flow.port)],
      ['Protocol', flow.protocol.toUpperCase()],
      ['Received', formatBytes(flow.bytes_in)],
      ['Sent', formatBytes(flow.bytes_out)],
    ]}
  />
);

export const flowColumns = (
  hosts: readonly CatalogHost[],
  ofOneDevice: boolean,
): ListColumn<Flow>[] => columnsFor(hosts).filter(({ id }) => !(ofOneDevice && id === 'device'));

const columnsFor = (hosts: readonly CatalogHost[]): ListColumn<Flow>[] => [
  {
    id: 'time',
    label: 'Time',
    width: 108,
    sort: 'started_at',
    descends: true,
    cell: ({ started_at }) => <Ago at={started_at} />,
  },
  {
    id: 'device',
    label: 'Device',
    width: '11%',
    sort: 'hostname',
    cell: (flow) => <DeviceLink flow={flow} />,
  },
  {
    id: 'process',
    label: 'Process',
    width: '18%',
    sort: 'process',
    cell: (flow) => <Process flow={flow} />,
  },
  {
    id: 'user',
    label: 'User',
    width: '9%',
    sort: 'user',
    cell: ({ user }) => <Clipped text={user ?? NONE} />,
  },
  {
    id: 'host',
    label: 'Host',
    sort: 'host',
    cell: (flow) => <Host flow={flow} hosts={hosts} />,
  },
  {
    id: 'in',
    label: 'In',
    width: 70,
    numeric: true,
    sort: 'bytes_in',
    descends: true,
    cell: ({ bytes_in }) => formatBytes(bytes_in),
  },
  {
    id: 'out',
    label: 'Out',
    width: 70,
    numeric: true,
    sort: 'bytes_out',
    descends: true,
    cell: ({ bytes_out }) => formatBytes(bytes_out),
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 112,
    numeric: true,
    sort: 'duration',
    descends: true,
    cell: ({ started_at, ended_at }) => <Lasting from={started_at} to={ended_at} />,
  },
  { id: 'state', label: 'State', width: 88, cell: (flow) => <FlowState flow={flow} /> },
  {
    id: 'address',
    label: 'Address',
    hidden: true,
    cell: ({ address, port }) => <Clipped mono text={formatEndpoint(address, port)} />,
  },
  {
    id: 'path',
    label: 'Path',
    hidden: true,
    cell: ({ path }) => <Clipped mono text={path ?? NONE} />,
  },
  {
    id: 'time-exactly',
    label: 'Exact time',
    hidden: true,
    cell: ({ started_at }) => <Clipped text={formatExact(Date.parse(started_at))} />,
  },
];

function DeviceLink({ flow }: { flow: Flow }) {
  return (
    <Link to={`/devices/${flow.device_id}?tab=flows`}>
      <Clipped text={flow.hostname} />
    </Link>
  );
}

function Process({ flow }: { flow: Flow }) {
  if (flow.process === null) return <span className="muted">{NONE}</span>;
  return (
    <span className="name-cell">
      <Clipped text={flow.process} title={flow.path ?? flow.process} />
      {flow.pid !== null && <span className="muted">{flow.pid}</span>}
    </span>
  );
}

/** Devices report the host name of AI hosts only; of all others they report the address. */
function Host({ flow, hosts }: { flow: Flow; hosts: readonly CatalogHost[] }) {
  const { host, address, port, protocol } = flow;
  const endpoint = formatEndpoint(address, port);
  const over = `${endpoint} over ${protocol.toUpperCase()}`;
  if (host === null) return <Clipped mono text={endpoint} title={over} />;
  return (
    <span className="name-cell">
      <Clipped mono text={host} title={titleOf(host, over, hosts)} />
      <Badge tone="accent">AI</Badge>
    </span>
  );
}

function titleOf(host: string, endpoint: string, hosts: readonly CatalogHost[]): string {
  const provider = findCatalogHost(hosts, host)?.provider;
  return `${provider ? `${provider}: ` : ''}${host} at ${endpoint}`;
}

const FlowState = ({ flow }: { flow: Flow }) =>
  flow.ended_at === null ? (
    <State tone="good">Open</State>
  ) : (
    <State tone="neutral">
      <span className="muted">Ended</span>
    </State>
  );
