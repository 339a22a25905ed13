import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { findCatalogHost } from '../data/catalog.ts';
import { flowGroups } from '../data/flow-sources.ts';
import type { FlowFilter } from '../data/flow-sources.ts';
import type { CatalogHost } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatBytes, formatCount, NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { FlowDrawing } from './flow-drawing.tsx';
import { largestOf, mapOf, NO_PROCESS } from './flow-map-rules.ts';
import type { MapEdge } from './flow-map-rules.ts';

interface FlowMapProps {
  filter: FlowFilter;
  range: TimeRange;
  hosts: readonly CatalogHost[];
  filters: Filters;
}

/** Maximum number of apps, and of hosts, in the drawing. The table below shows all of them. */
const DRAWN = 14;

/** Shows which apps connect to which hosts: the largest in a drawing, all of them in a table. */
export function FlowMap({ filter, range, hosts, filters }: FlowMapProps) {
  const reading = useQuery(flowGroups(filter, range));
  const isAi = (host: string) => findCatalogHost(hosts, host) !== undefined;
  return (
    <Loaded reading={reading}>
      {(groups) => {
        const map = mapOf(groups.results);
        if (map.edges.length === 0) return <Empty title={t`No flow matches these filters`} />;
        const drawn = largestOf(map, DRAWN);
        const hidden = map.edges.length - drawn.edges.length;
        return (
          <>
            <FlowDrawing map={drawn} isAi={isAi} />
            <DataTable
              label={t`Apps and hosts`}
              columns={columnsFor(filters, isAi)}
              rows={map.edges}
              rowKey={({ name }) => name}
              stale={reading.stale}
            />
            <p className="muted page-note">
              {[
                plural(map.apps.length, { one: '# app', other: '# apps' }),
                plural(map.hosts.length, { one: '# host', other: '# hosts' }),
              ].join(', ')}
              {hidden > 0 &&
                plural(hidden, {
                  one: '; # connection only in the table',
                  other: '; # connections only in the table',
                })}
              {groups.results.length < groups.group_count &&
                t`; of the largest ${formatCount(groups.results.length)} groups of flows`}
            </p>
          </>
        );
      }}
    </Loaded>
  );
}

const columnsFor = (filters: Filters, isAi: (host: string) => boolean): Column<MapEdge>[] => [
  { name: t`App`, cell: ({ app }) => <Clipped text={app} /> },
  {
    name: t`Host`,
    cell: ({ app, host }) => (
      <button
        type="button"
        className="link"
        onClick={() =>
          filters.set({ grouped: 'true', process: app === NO_PROCESS ? '' : app, host })
        }
      >
        <Clipped mono text={host || NONE} />
      </button>
    ),
  },
  {
    name: 'AI',
    width: 64,
    cell: ({ host }) =>
      isAi(host) && (
        <Badge tone="accent">
          <Trans>AI</Trans>
        </Badge>
      ),
  },
  { name: t`Devices`, width: 84, align: 'end', cell: ({ devices }) => formatCount(devices) },
  { name: t`Flows`, width: 80, align: 'end', cell: ({ flows }) => formatCount(flows) },
  { name: t`Open`, width: 70, align: 'end', cell: ({ open }) => formatCount(open) },
  { name: t`Data`, width: 84, align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
];
