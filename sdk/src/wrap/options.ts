import type { Observer } from '../observer.ts';

export interface WrapOptions {
  /** Default: the observer of this process. */
  observer?: Observer;
  /** Purpose of the calls. */
  task?: string;
  /** Provider of the calls, if it cannot be derived from the client's URL. */
  provider?: string;
}
