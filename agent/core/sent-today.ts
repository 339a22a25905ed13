/** What left this machine for the control plane on one day. */
export interface Sent {
  /** `2026-11-22`, of the computer's own calendar. */
  day: string;
  flow_reports: number;
  captures: number;
  inventories: number;
  /** Of the bodies of all requests. */
  bytes: number;
}

export type SentKind = Exclude<keyof Sent, 'day'>;

export const emptyCounts = (day: string): Sent => ({
  day,
  flow_reports: 0,
  captures: 0,
  inventories: 0,
  bytes: 0,
});

/** So many more of a kind; what was sent on another day counts no more. */
export function countSent(before: Sent, day: string, kind: SentKind, amount: number): Sent {
  const today = before.day === day ? before : emptyCounts(day);
  return { ...today, [kind]: today[kind] + amount };
}

/** The day of a time in the computer's own calendar. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
