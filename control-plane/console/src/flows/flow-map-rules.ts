import { t } from '@lingui/core/macro';
import type { FlowGroup } from '../data/flow-sources.ts';

/** An app, or a host to which apps connect. */
export interface MapNode {
  name: string;
  flows: number;
  devices: number;
}

/** The flows from an app to a host, on all devices. */
export interface MapEdge extends MapNode {
  app: string;
  host: string;
  open: number;
  /** Bytes in both directions; null if no device counts them. */
  bytes: number | null;
}

export interface FlowMapData {
  /** Sorted by the number of flows, descending. */
  apps: MapNode[];
  hosts: MapNode[];
  edges: MapEdge[];
}

export const NO_PROCESS = t`unknown process`;

/** Aggregates groups of flows to a map of apps and hosts. */
export function mapOf(groups: readonly FlowGroup[]): FlowMapData {
  const appOf = ({ process }: FlowGroup) => process ?? NO_PROCESS;
  const hostOf = ({ host, address }: FlowGroup) => host ?? address ?? '';
  const edges = groupsBy(groups, (group) => JSON.stringify([appOf(group), hostOf(group)])).map(
    ([first, of]) => ({
      ...sumOf(`${appOf(first)} → ${hostOf(first)}`, of),
      app: appOf(first),
      host: hostOf(first),
      open: sum(of, ({ open_count }) => open_count),
      bytes: bytesOf(of),
    }),
  );
  return {
    apps: ordered(groupsBy(groups, appOf).map(([first, of]) => sumOf(appOf(first), of))),
    hosts: ordered(groupsBy(groups, hostOf).map(([first, of]) => sumOf(hostOf(first), of))),
    edges: ordered(edges),
  };
}

/**
 * The largest apps and hosts and the edges between them: a larger drawing would not be readable.
 */
export function largestOf({ apps, hosts, edges }: FlowMapData, most: number): FlowMapData {
  const [shownApps, shownHosts] = [apps.slice(0, most), hosts.slice(0, most)];
  const names = (of: readonly MapNode[]) => new Set(of.map(({ name }) => name));
  const [ofApps, ofHosts] = [names(shownApps), names(shownHosts)];
  const between = edges.filter(({ app, host }) => ofApps.has(app) && ofHosts.has(host));
  return { apps: shownApps, hosts: shownHosts, edges: between };
}

const groupsBy = (groups: readonly FlowGroup[], keyOf: (group: FlowGroup) => string) =>
  [...Map.groupBy(groups, keyOf).values()] //
    .map((of) => [of[0] as FlowGroup, of] as const);

const sumOf = (name: string, of: readonly FlowGroup[]): MapNode => ({
  name,
  flows: sum(of, ({ flow_count }) => flow_count),
  devices: new Set(of.map(({ device_id }) => device_id)).size,
});

const sum = (of: readonly FlowGroup[], valueOf: (group: FlowGroup) => number): number =>
  of.reduce((total, group) => total + valueOf(group), 0);

const bytesOf = (of: readonly FlowGroup[]): number | null =>
  of.every(({ bytes_in, bytes_out }) => bytes_in === null && bytes_out === null)
    ? null
    : sum(of, ({ bytes_in, bytes_out }) => (bytes_in ?? 0) + (bytes_out ?? 0));

const ordered = <T extends MapNode>(nodes: T[]): T[] =>
  nodes.toSorted((a, b) => b.flows - a.flows || (a.name < b.name ? -1 : 1));
