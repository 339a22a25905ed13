import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { CodingAgentLevel, GuardConfig, ToolCheckMode } from '#contract/guard.ts';
import type { Device } from '../data/device-sources.ts';
import type { GuardLayer } from '../data/guard-sources.ts';
import { formatCount, NONE } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { levelNames } from './levels.ts';
import { describeOthers } from './other-fields.ts';
import './layers-table.css';

interface LayersTableProps {
  layers: readonly GuardLayer[];
  /** Needed for their hostnames. */
  devices: readonly Device[];
}

/** Up to this number of layers, the table is expanded at first. */
const EXPANDED_LAYERS = 5;

/** Table of all configured layers, broadest first. */
export function LayersTable({ layers, devices }: LayersTableProps) {
  const hostnames = new Map(devices.map(({ id, hostname }) => [id, hostname]));
  if (layers.length === 0) return null;
  return (
    <details className="all-layers" open={layers.length <= EXPANDED_LAYERS}>
      <summary>
        <Trans>
          Overrides <span className="count">{formatCount(layers.length)}</span>
        </Trans>
      </summary>
      <DataTable
        label={t`Overrides`}
        columns={columnsFor(hostnames)}
        rows={layers}
        rowKey={({ id }) => id}
        rowLink={linkOf}
      />
    </details>
  );
}

const columnsFor = (hostnames: ReadonlyMap<string, string>): Column<GuardLayer>[] => [
  { name: t`Level`, width: 104, cell: (layer) => <LayerLink layer={layer} /> },
  {
    name: t`Scope`,
    cell: ({ scope }) => (
      <Clipped text={scope === null ? t`all` : (hostnames.get(scope) ?? scope)} />
    ),
  },
  { name: t`Capture`, width: 96, cell: ({ config }) => <Capture on={config.capture_enabled} /> },
  { name: t`Hosts`, width: '17%', cell: ({ config }) => <Hosts config={config} /> },
  {
    name: t`Policies`,
    width: 116,
    cell: ({ config }) => <Enforced on={config.enforce_policies} />,
  },
  { name: t`Other settings`, width: '20%', cell: ({ config }) => <Others config={config} /> },
  { name: t`Version`, width: 72, cell: ({ version }) => `v${version}` },
  {
    name: t`Changed`,
    width: 110,
    wideOnly: true,
    cell: ({ updated_at }) => <Ago at={updated_at} />,
  },
  { name: t`By`, width: '14%', cell: ({ updated_by }) => <Clipped text={updated_by} /> },
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
  if (on === undefined)
    return (
      <span className="muted">
        <Trans>inherited</Trans>
      </span>
    );
  return <State tone={on ? 'accent' : 'neutral'}>{on ? t`On` : t`Off`}</State>;
}

function Enforced({ on }: { on: boolean | undefined }) {
  if (on === undefined)
    return (
      <span className="muted">
        <Trans>inherited</Trans>
      </span>
    );
  return <State tone={on ? 'accent' : 'neutral'}>{on ? t`Enforced` : t`Recorded`}</State>;
}

function Hosts({ config: { intercept_hosts: hosts, host_overrides } }: { config: GuardConfig }) {
  const single = Object.entries(host_overrides ?? {}).map(
    ([host, on]) => `${on ? '+' : '−'} ${host}`,
  );
  if (hosts === undefined && single.length === 0)
    return (
      <span className="muted">
        <Trans>inherited</Trans>
      </span>
    );
  return <Clipped mono text={[...(hosts ?? []), ...single].join(', ') || NONE} />;
}

const Others = ({ config }: { config: GuardConfig }) => (
  <Clipped
    text={
      [
        describePauses(config),
        describeCodingAgents(config),
        describeToolChecks(config),
        describeOthers(config),
      ]
        .filter(Boolean)
        .join('; ') || NONE
    }
  />
);

function describePauses({ pause_minutes }: GuardConfig): string {
  if (pause_minutes === undefined) return '';
  if (pause_minutes === 0) return t`Pauses not allowed`;
  return plural(pause_minutes, { one: 'Pauses up to # minute', other: 'Pauses up to # minutes' });
}

const agentTexts: Record<CodingAgentLevel, string> = {
  off: t`Coding agents not recorded`,
  metadata: t`Coding agents metadata only`,
  prompts: t`Coding agents with prompts and answers`,
  tools: t`Coding agents with prompts and tool content`,
};

const describeCodingAgents = ({ coding_agents }: GuardConfig): string =>
  coding_agents === undefined ? '' : agentTexts[coding_agents];

const checkTexts: Record<ToolCheckMode, string> = {
  off: t`Tool calls not checked`,
  open: t`Tool calls checked, allowed while offline`,
  closed: t`Tool calls checked, refused while offline`,
};

const describeToolChecks = ({ tool_checks }: GuardConfig): string =>
  tool_checks === undefined ? '' : checkTexts[tool_checks];
