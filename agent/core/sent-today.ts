/** The data that this machine sent to the control plane on one day. */
export interface DailyCounts {
  /** `2026-11-22`, in the computer's time zone. */
  day: string;
  flow_reports: number;
  captures: number;
  inventories: number;
  /** Requests with telemetry of coding agents that this agent relayed. */
  telemetry: number;
  /** Records of tool calls, from checks and from MCP gateways. */
  tool_calls: number;
  /** The size of all request bodies. */
  bytes: number;
}

export type CountKind = Exclude<keyof DailyCounts, 'day'>;

export const emptyCounts = (day: string): DailyCounts => ({
  day,
  flow_reports: 0,
  captures: 0,
  inventories: 0,
  telemetry: 0,
  tool_calls: 0,
  bytes: 0,
});

/** Adds to the count of a kind; counts of another day are reset. */
export function countSent(
  before: DailyCounts,
  day: string,
  kind: CountKind,
  amount: number,
): DailyCounts {
  const today = before.day === day ? before : emptyCounts(day);
  return { ...today, [kind]: today[kind] + amount };
}

/** The day of a time in the computer's time zone. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
