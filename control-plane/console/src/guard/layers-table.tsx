import { Link } from 'wouter';
import type { GuardConfig } from '#contract/guard.ts';
import type { Device, GuardLayer } from '../data/sources.ts';
import { formatCount, none } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { levelNames } from './levels.ts';
import { describeOthers } from './other-fields.ts';
import { pauseText } from './pause-text.ts';

interface LayersTableProps {
  layers: readonly GuardLayer[];
  /** For their hostnames. */
  devices: readonly Device[];
}

/** Up to this number of layers, the table is expanded initially. */
const expandedLayers = 5;

/** All configured layers, broadest first. */
export function LayersTable({ layers, devices }: LayersTableProps) {
  const hostnames = new Map(devices.map(({ id, hostname }) => [id, hostname]));
  if (layers.length === 0) return null;
  return (
    <details className="all-layers" open={layers.length <= expandedLayers}>
      <summary>
        Configured layers <span className="count">{formatCount(layers.length)}</span>
      </summary>
      <DataTable
        label="Layers"
        columns={columnsFor(hostnames)}
        rows={layers}
        rowKey={({ id }) => id}
        rowLink={linkOf}
      />
    </details>
  );
}

const columnsFor = (hostnames: ReadonlyMap<string, string>): Column<GuardLayer>[] => [
  { name: 'Level', width: 104, cell: (layer) => <LayerLink layer={layer} /> },
  {
    name: 'Scope',
    cell: ({ scope }) => (
      <Clipped text={scope === null ? 'all' : (hostnames.get(scope) ?? scope)} />
    ),
  },
  { name: 'Capture', width: 96, cell: ({ config }) => <Capture on={config.capture_enabled} /> },
  { name: 'Hosts', width: '17%', cell: ({ config }) => <Hosts hosts={config.intercept_hosts} /> },
  { name: 'Policies', width: 96, cell: ({ config }) => <Enforced on={config.enforce_policies} /> },
  { name: 'Other settings', width: '20%', cell: ({ config }) => <Others config={config} /> },
  { name: 'Version', width: 72, cell: ({ version }) => `v${version}` },
  {
    name: 'Changed',
    width: 110,
    wideOnly: true,
    cell: ({ updated_at }) => <Ago at={updated_at} />,
  },
  { name: 'By', width: '14%', cell: ({ updated_by }) => <Clipped text={updated_by} /> },
];

const LayerLink = ({ layer }: { layer: GuardLayer }) => (
  <Link to={linkOf(layer)} className="row-link">
    {levelNames[layer.layer]}
  </Link>
);

function linkOf({ layer, scope }: GuardLayer): string {
  const search = new URLSearchParams({ level: layer, ...(scope === null ? {} : { scope }) });
  return `/guard?${search}`;
}

function Capture({ on }: { on: boolean | undefined }) {
  if (on === undefined) return <span className="muted">inherited</span>;
  return <State tone={on ? 'accent' : 'neutral'}>{on ? 'On' : 'Off'}</State>;
}

function Enforced({ on }: { on: boolean | undefined }) {
  if (on === undefined) return <span className="muted">inherited</span>;
  return <State tone={on ? 'accent' : 'neutral'}>{on ? 'Enforced' : 'Recorded'}</State>;
}

function Hosts({ hosts }: { hosts: readonly string[] | undefined }) {
  if (hosts === undefined) return <span className="muted">inherited</span>;
  return <Clipped mono text={hosts.join(', ') || none} />;
}

const Others = ({ config }: { config: GuardConfig }) => (
  <Clipped
    text={[describePauses(config), describeOthers(config)].filter(Boolean).join('; ') || none}
  />
);

const describePauses = ({ pause_minutes }: GuardConfig): string =>
  pause_minutes === undefined ? '' : `Pauses ${pauseText(pause_minutes)}`;
