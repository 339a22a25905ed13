import type { Tx } from '../../storage/transaction.ts';
import type { NotifiableEvent } from '../../notification-event.ts';
import type { Conditions } from '../matching-rules.ts';

/** The state while a tenant is being watched. */
export interface WatchContext {
  tx: Tx;
  tenantId: string;
  now: number;
  /** When this process began to watch. */
  startedAt: number;
  /** The rules, each with the time of its last change in `since`. */
  rules: readonly (Conditions & { since: number })[];
  marks: ReadonlyMap<string, string>;
  /** Marks a state; returns false if it already had this mark. */
  mark: (key: string, value: string) => Promise<boolean>;
  notify: (event: NotifiableEvent) => Promise<void>;
}
