import type { Observer } from '../observer.ts';

export interface WrapOptions {
  /** The process's own unless given. */
  observer?: Observer;
  /** What its calls are for. */
  task?: string;
  /** Who answers, where the client's address does not tell. */
  provider?: string;
}
