import { defaultObserver } from '../default-observer.ts';
import type { LlmCall } from '../recording/types.ts';
import type { AnswerReader, Watch } from './observe-create.ts';
import type { WrapOptions } from './options.ts';

/**
 * The run is that of the place where the call is made, wherever its answer is read. The observer is
 * looked up at each call: clients are often wrapped before `init` is called.
 */
export const watcherOf =
  ({ observer, task, provider }: WrapOptions) =>
  (body: object, reader: AnswerReader): Watch => {
    const own = observer ?? defaultObserver();
    const place = own.currentRun() ?? own;
    const known = { ...(task && { task }), ...(provider && { provider }) };
    return {
      body,
      reader,
      record: (call: LlmCall) => place.recordCall({ ...call, ...known }),
    };
  };
