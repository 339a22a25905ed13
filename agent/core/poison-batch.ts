/** Answers that would be the same if the same batch were sent again. */
const permanent = new Set([400, 413, 422]);

/** What a proxy says when the control plane is not there, and what a server sends that is not ready. */
const transient = new Set([502, 503, 504]);

const MAX_TRANSIENT_FAILURES = 5;

/**
 * Decides whether it is the batch that keeps the control plane from taking it. `status` is null where
 * there was no answer; `accepted` counts what the control plane has done for this device so far. An
 * error of the control plane, like 500, speaks against the batch only if it comes again and again while
 * other things are done in between: a service that is out of order altogether costs no report.
 */
export function createPoisonBatchDetector(): (
  batchId: string,
  status: number | null,
  accepted: number,
) => boolean {
  let suspect = { batchId: '', times: 0, accepted: 0 };
  return (batchId, status, accepted) => {
    if (status === null || status < 500 || transient.has(status)) return permanent.has(status ?? 0);
    if (suspect.batchId !== batchId) suspect = { batchId, times: 1, accepted };
    else if (suspect.accepted !== accepted)
      suspect = { batchId, times: suspect.times + 1, accepted };
    return suspect.times >= MAX_TRANSIENT_FAILURES;
  };
}
