/** A period without flow observation, in the format of the contract; times are milliseconds. */
export interface ObservationGap {
  reason: 'not_running' | 'dropped';
  started_at: number;
  ended_at: number;
}

/** The maximum number of unreported gaps; the latest are kept. */
const MAX_GAPS = 100;

/** Reports that are dropped in quick succession form one gap. */
const MERGE_WITHIN_MS = 60_000;

/** A gap that continues keeps its start, which identifies it to the control plane. */
export function withGap(gaps: readonly ObservationGap[], gap: ObservationGap): ObservationGap[] {
  const known = gaps.findLast(
    ({ reason, started_at, ended_at }) =>
      reason === gap.reason &&
      started_at <= gap.started_at &&
      gap.started_at <= ended_at + MERGE_WITHIN_MS,
  );
  if (!known) return [...gaps, gap].slice(-MAX_GAPS);
  const longer = { ...known, ended_at: Math.max(known.ended_at, gap.ended_at) };
  return gaps.map((one) => (one === known ? longer : one));
}

/** The gaps that remain after a report. A gap that has grown since is reported again. */
export const withoutReported = (
  gaps: readonly ObservationGap[],
  reported: readonly ObservationGap[],
): ObservationGap[] =>
  gaps.filter(
    (gap) =>
      !reported.some(
        ({ reason, started_at, ended_at }) =>
          reason === gap.reason && started_at === gap.started_at && ended_at === gap.ended_at,
      ),
  );
