import type { Tx } from '../../storage/transaction.ts';
import type { NotifiableEvent } from '../../notification-event.ts';
import type { Conditions } from '../matching-rules.ts';

/** A tenant while it is watched. */
export interface Watching {
  tx: Tx;
  tenantId: string;
  now: number;
  /** When this process began to watch. */
  startedAt: number;
  /** `since`: when the rule was last changed. */
  rules: readonly (Conditions & { since: number })[];
  marks: ReadonlyMap<string, string>;
  /** Marks a state; false if it was marked before. */
  mark: (key: string, value: string) => Promise<boolean>;
  notify: (event: NotifiableEvent) => Promise<void>;
}
