import { defaultObserver } from '../default-observer.ts';
import type { LlmCall } from '../recording/types.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { Watch, WrapOptions } from './observe-method.ts';

/**
 * Assigns a call to the run in which it was made, wherever its response is read. The observer is
 * looked up on each call, because clients are often wrapped before `init` is called.
 */
export const watcherOf =
  ({ observer, task, provider }: WrapOptions) =>
  (body: object, reader: AnswerReader): Watch => {
    const own = observer ?? defaultObserver();
    const recorder = own.currentRun() ?? own;
    const parentSpanId = own.currentRun()?.currentSpanId;
    const fixed = {
      ...(task && { task }),
      ...(provider && { provider }),
      ...(parentSpanId && { parentSpanId }),
    };
    return {
      body,
      reader,
      record: (call: LlmCall) => recorder.recordCall({ ...call, ...fixed }),
      recordFailure: (call, error) => recorder.recordFailedCall({ ...call, ...fixed }, error),
    };
  };
