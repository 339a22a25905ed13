import { useState } from 'react';
import { Link } from 'wouter';
import { findCatalogHost } from '../data/catalog.ts';
import type { CatalogHost, Flow } from '../data/sources.ts';
import { formatBytes, formatEndpoint, none } from '../format.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, Lasting } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { flowKey } from './held-flows.ts';

interface FlowTableProps {
  flows: readonly Flow[];
  hosts: readonly CatalogHost[];
  /** Hides the device column. */
  ofOneDevice: boolean;
  stale: boolean;
}

export function FlowTable({ flows, hosts, ofOneDevice, stale }: FlowTableProps) {
  const [openedAt] = useState(() => Date.now());
  const columns = columnsFor(hosts);
  return (
    <DataTable
      label="Flows"
      columns={ofOneDevice ? columns.filter(({ name }) => name !== 'Device') : columns}
      rows={flows}
      rowKey={flowKey}
      rowClass={({ started_at }) => (Date.parse(started_at) > openedAt ? 'arriving' : '')}
      stale={stale}
    />
  );
}

const columnsFor = (hosts: readonly CatalogHost[]): Column<Flow>[] => [
  { name: 'Time', width: 108, cell: ({ started_at }) => <Ago at={started_at} /> },
  { name: 'Device', width: '11%', cell: (flow) => <DeviceLink flow={flow} /> },
  { name: 'Process', width: '18%', cell: (flow) => <Process flow={flow} /> },
  {
    name: 'User',
    width: '9%',
    wideOnly: true,
    cell: ({ user }) => <Clipped text={user ?? none} />,
  },
  { name: 'Host', cell: (flow) => <Host flow={flow} hosts={hosts} /> },
  { name: 'In', width: 70, align: 'end', cell: ({ bytes_in }) => formatBytes(bytes_in) },
  { name: 'Out', width: 70, align: 'end', cell: ({ bytes_out }) => formatBytes(bytes_out) },
  {
    name: 'Duration',
    width: 88,
    align: 'end',
    cell: ({ started_at, ended_at }) => <Lasting from={started_at} to={ended_at} />,
  },
  { name: 'State', width: 88, cell: (flow) => <FlowState flow={flow} /> },
];

function DeviceLink({ flow }: { flow: Flow }) {
  return (
    <Link to={`/devices/${flow.device_id}?tab=flows`}>
      <Clipped text={flow.hostname} />
    </Link>
  );
}

function Process({ flow }: { flow: Flow }) {
  if (flow.process === null) return <span className="muted">{none}</span>;
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
