import type { LlmCall } from '../recording/types.ts';
import type { CallReader } from './call-reader.ts';

export interface CallObservation {
  /** The request body to send instead of the agent's. */
  body: object;
  reader: CallReader;
  /**
   * Selects events that are only sent because the body was changed, to hide them from the agent.
   */
  isHidden?: (event: unknown) => boolean;
  record: (call: LlmCall) => void;
  recordFailure: (call: LlmCall, error: unknown) => void;
}

/** Observes a single request and records it once, as a call or a failure. */
export interface ActiveObservation extends CallObservation {
  finish: () => void;
  fail: (error: unknown) => void;
  /** The time when the first event of a stream arrived. */
  firstAt: number | undefined;
}

export function startObservation(watch: CallObservation): ActiveObservation {
  const startedAt = Date.now();
  let done = false;
  const once = (record: (call: LlmCall) => void): void => {
    if (done) return;
    done = true;
    const { firstAt } = active;
    record({
      ...watch.reader.call(),
      startedAt,
      durationMs: Date.now() - startedAt,
      ...(firstAt !== undefined && { timeToFirstTokenMs: firstAt - startedAt }),
    });
  };
  const active: ActiveObservation = {
    ...watch,
    firstAt: undefined,
    finish: () => once(watch.record),
    fail: (error) => once((call) => watch.recordFailure(call, error)),
  };
  return active;
}
