/** Statuses that the same batch would get again. */
const permanent = new Set([400, 413, 422]);

/** Statuses of a proxy without its control plane, and of a server that is not ready. */
const transient = new Set([502, 503, 504]);

const MAX_TRANSIENT_FAILURES = 5;

/**
 * Detects whether the batch itself causes the failure. `status` is null without a response;
 * `accepted` counts all successful requests of this device so far. An error such as 500 counts
 * against a batch only if it repeats while other requests succeed in between: an outage of the
 * whole service costs no reports.
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
