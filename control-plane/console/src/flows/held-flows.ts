import type { Flow } from '../data/flow-sources.ts';

export interface HeldFlows {
  rows: readonly Flow[];
  /** Number of newer flows that are held back. */
  waiting: number;
}

/** Flow ids are unique per device only. */
export const flowKey = ({ device_id, id }: Pick<Flow, 'device_id' | 'id'>): string =>
  `${device_id} ${id}`;

/**
 * Keeps the displayed rows in place. Newer flows are held back; older flows that were requested
 * are added below. With `update`, displayed rows take the latest report of their flow.
 */
export function holdFlows(
  held: readonly Flow[],
  latest: readonly Flow[],
  update: boolean,
): HeldFlows {
  const heldKeys = new Set(held.map(flowKey));
  const current = new Map(latest.map((flow) => [flowKey(flow), flow]));
  const added = latest.filter((flow) => !heldKeys.has(flowKey(flow)));
  const end = held.at(-1)?.started_at;
  const older = added.filter(({ started_at }) => end !== undefined && isBefore(started_at, end));
  const rows = update ? held.map((flow) => current.get(flowKey(flow)) ?? flow) : held;
  return { rows: [...rows, ...older], waiting: added.length - older.length };
}

// A flow of the same instant is not newer: the list continues in the service's order.
const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b);
