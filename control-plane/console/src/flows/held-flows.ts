import type { Flow } from '../data/sources.ts';

export interface HeldFlows {
  rows: readonly Flow[];
  /** How many newer flows are kept back. */
  waiting: number;
}

/** A device numbers its own flows. */
export const flowKey = ({ device_id, id }: Pick<Flow, 'device_id' | 'id'>): string =>
  `${device_id} ${id}`;

/**
 * Keeps the rows somebody is reading where they are. Newer flows wait; older ones that were asked
 * for are added below; with `update`, what is shown follows what the device reports.
 */
export function holdFlows(
  held: readonly Flow[],
  latest: readonly Flow[],
  update: boolean,
): HeldFlows {
  const known = new Set(held.map(flowKey));
  const current = new Map(latest.map((flow) => [flowKey(flow), flow]));
  const unknown = latest.filter((flow) => !known.has(flowKey(flow)));
  const end = held.at(-1)?.started_at;
  const older = unknown.filter(({ started_at }) => end !== undefined && isBefore(started_at, end));
  const shown = update ? held.map((flow) => current.get(flowKey(flow)) ?? flow) : held;
  return { rows: [...shown, ...older], waiting: unknown.length - older.length };
}

// At the same instant the list goes on in the service's order: it is not newer.
const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b);
