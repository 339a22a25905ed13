import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CatalogHost } from '../data/guard-sources.ts';
import { findCatalogHost } from '../data/catalog.ts';
import type { Flow } from '../data/flow-sources.ts';
import { formatBytes, formatEndpoint, formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { ListTable } from '../lists/list-table.tsx';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { Empty } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import type { Filters } from '../use-filters.ts';
import { FIRST_FLOW_SORT } from './flow-filter.ts';
import { flowKey } from './displayed-flows.ts';
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
      label={t`Flows`}
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

/** The rows contain all fields, so a flow that is not in the list has no panel. */
const panelOf = (_key: string, flow: Flow | undefined) =>
  flow
    ? {
        title: `${flow.process ?? t`Flow`}: ${flow.host ?? formatEndpoint(flow.address, flow.port)}`,
        page: `/devices/${flow.device_id}?tab=flows`,
        content: <FlowFacts flow={flow} />,
      }
    : { title: t`Flow`, content: <Empty title={t`It is not among the flows that are shown`} /> };

const FlowFacts = ({ flow }: { flow: Flow }) => (
  <Facts
    facts={[
      [t`State`, <FlowState key="state" flow={flow} />],
      [t`Started`, formatExact(Date.parse(flow.started_at))],
      [t`Duration`, <Elapsed key="duration" from={flow.started_at} to={flow.ended_at} />],
      [t`Device`, flow.hostname],
      [t`User`, flow.user ?? NONE],
      [t`Process`, flow.process ?? NONE],
      [t`Process id`, flow.pid === null ? NONE : String(flow.pid)],
      [t`Path`, flow.path ?? NONE],
      [t`App`, flow.app_id ?? NONE],
      [t`Host`, flow.host ?? NONE],
      [t`Address`, formatEndpoint(flow.address, flow.port)],
      [t`Protocol`, flow.protocol.toUpperCase()],
      [t`Received`, formatBytes(flow.bytes_in)],
      [t`Sent`, formatBytes(flow.bytes_out)],
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
    label: t`Time`,
    width: 108,
    sort: 'started_at',
    descends: true,
    cell: ({ started_at }) => <Ago at={started_at} />,
  },
  {
    id: 'device',
    label: t`Device`,
    width: '11%',
    sort: 'hostname',
    cell: (flow) => <DeviceLink flow={flow} />,
  },
  {
    id: 'process',
    label: t`Process`,
    width: '18%',
    sort: 'process',
    cell: (flow) => <Process flow={flow} />,
  },
  {
    id: 'user',
    label: t`User`,
    width: '9%',
    sort: 'user',
    cell: ({ user }) => <Clipped text={user ?? NONE} />,
  },
  {
    id: 'host',
    label: t`Host`,
    sort: 'host',
    cell: (flow) => <Host flow={flow} hosts={hosts} />,
  },
  {
    id: 'in',
    label: t`In`,
    width: 70,
    numeric: true,
    sort: 'bytes_in',
    descends: true,
    cell: ({ bytes_in }) => formatBytes(bytes_in),
  },
  {
    id: 'out',
    label: t`Out`,
    width: 70,
    numeric: true,
    sort: 'bytes_out',
    descends: true,
    cell: ({ bytes_out }) => formatBytes(bytes_out),
  },
  {
    id: 'duration',
    label: t`Duration`,
    width: 112,
    numeric: true,
    sort: 'duration',
    descends: true,
    cell: ({ started_at, ended_at }) => <Elapsed from={started_at} to={ended_at} />,
  },
  { id: 'state', label: t`State`, width: 88, cell: (flow) => <FlowState flow={flow} /> },
  {
    id: 'address',
    label: t`Address`,
    hidden: true,
    cell: ({ address, port }) => <Clipped mono text={formatEndpoint(address, port)} />,
  },
  {
    id: 'path',
    label: t`Path`,
    hidden: true,
    cell: ({ path }) => <Clipped mono text={path ?? NONE} />,
  },
  {
    id: 'time-exactly',
    label: t`Exact time`,
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

/**
 * The host of a flow. Devices report host names only for AI hosts, and addresses for all others.
 */
function Host({ flow, hosts }: { flow: Flow; hosts: readonly CatalogHost[] }) {
  const { host, address, port, protocol } = flow;
  const endpoint = formatEndpoint(address, port);
  const over = t`${endpoint} over ${protocol.toUpperCase()}`;
  if (host === null) return <Clipped mono text={endpoint} title={over} />;
  return (
    <span className="name-cell">
      <Clipped mono text={host} title={titleOf(host, over, hosts)} />
      <Badge tone="accent">
        <Trans>AI</Trans>
      </Badge>
    </span>
  );
}

function titleOf(host: string, endpoint: string, hosts: readonly CatalogHost[]): string {
  const provider = findCatalogHost(hosts, host)?.provider;
  return provider ? t`${provider}: ${host} at ${endpoint}` : t`${host} at ${endpoint}`;
}

const FlowState = ({ flow }: { flow: Flow }) =>
  flow.ended_at === null ? (
    <State tone="good">
      <Trans>Open</Trans>
    </State>
  ) : (
    <State tone="neutral">
      <span className="muted">
        <Trans>Ended</Trans>
      </span>
    </State>
  );
