/** Answers that would be the same if the same batch were sent again. */
const permanent = new Set([400, 413, 422]);

/** What a proxy says when the service is not there, and what a service says that is not ready. */
const passing = new Set([502, 503, 504]);

const patience = 5;

/**
 * Decides whether it is the batch that keeps the service from taking it. `status` is null where
 * there was no answer; `accepted` counts what the service has done for this device so far. An
 * error of the service, like 500, speaks against the batch only if it comes again and again while
 * other things are done in between: a service that is out of order altogether costs no report.
 */
export function createBatchBlame(): (
  batchId: string,
  status: number | null,
  accepted: number,
) => boolean {
  let suspect = { batchId: '', times: 0, accepted: 0 };
  return (batchId, status, accepted) => {
    if (status === null || status < 500 || passing.has(status)) return permanent.has(status ?? 0);
    if (suspect.batchId !== batchId) suspect = { batchId, times: 1, accepted };
    else if (suspect.accepted !== accepted)
      suspect = { batchId, times: suspect.times + 1, accepted };
    return suspect.times >= patience;
  };
}
