import type { Flow } from '../data/flow-sources.ts';

export interface DisplayedFlows {
  rows: readonly Flow[];
  /** Number of new flows that are not displayed yet. */
  waiting: number;
}

/** Key of a flow, whose id is unique per device only. */
export const flowKey = ({ device_id, id }: Pick<Flow, 'device_id' | 'id'>): string =>
  `${device_id} ${id}`;

interface Holding {
  /** Whether displayed rows show the latest report of their flow. */
  update: boolean;
  /**
   * How many more rows were requested since the list was held. Undefined if sorted newest first.
   */
  more?: number | undefined;
}

/**
 * Keeps the displayed rows in place and appends the rows that were requested below them. All others
 * count as waiting: sorted newest first, flows that started after the last displayed row; in
 * another order, rows beyond the requested number.
 */
export function updateDisplayedFlows(
  held: readonly Flow[],
  latest: readonly Flow[],
  { update, more }: Holding,
): DisplayedFlows {
  const heldKeys = new Set(held.map(flowKey));
  const current = new Map(latest.map((flow) => [flowKey(flow), flow]));
  const added = latest.filter((flow) => !heldKeys.has(flowKey(flow)));
  const below = more === undefined ? olderThan(held.at(-1), added) : added.slice(0, more);
  const rows = update ? held.map((flow) => current.get(flowKey(flow)) ?? flow) : held;
  return { rows: [...rows, ...below], waiting: added.length - below.length };
}

// A flow of the same instant is not newer: the list keeps the order of the service.
const olderThan = (last: Flow | undefined, flows: readonly Flow[]): Flow[] =>
  flows.filter(
    ({ started_at }) => last !== undefined && Date.parse(started_at) <= Date.parse(last.started_at),
  );
