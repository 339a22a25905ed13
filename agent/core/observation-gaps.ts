/** A time of which flows are missing, as the contract names it; times are milliseconds. */
export interface ObservationGap {
  reason: 'not_running' | 'dropped';
  started_at: number;
  ended_at: number;
}

/** Of the gaps that no heartbeat has reported yet, the latest are kept. */
const MAX_GAPS = 100;

/** Reports that are given up one after the other are one time, not one each. */
const MERGE_WITHIN_MS = 60_000;

/** One that goes on keeps its start: the control plane knows it by that. */
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

/** What is left once these were reported: a gap that has grown since is to be reported again. */
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
