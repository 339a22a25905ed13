import { defaultObserver } from '../default-observer.ts';
import type { LlmCall } from '../recording/types.ts';
import type { AnswerReader, Watch } from './observe-create.ts';
import type { WrapOptions } from './options.ts';

/**
 * Assigns a call to the run in which it was made, wherever its response is read. The observer is
 * looked up on each call, because clients are often wrapped before `init` is called.
 */
export const watcherOf =
  ({ observer, task, provider }: WrapOptions) =>
  (body: object, reader: AnswerReader): Watch => {
    const own = observer ?? defaultObserver();
    const recorder = own.currentRun() ?? own;
    const fixed = { ...(task && { task }), ...(provider && { provider }) };
    return {
      body,
      reader,
      record: (call: LlmCall) => recorder.recordCall({ ...call, ...fixed }),
    };
  };
