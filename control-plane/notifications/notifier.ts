import { describeEvent } from './describe-event-rules.ts';
import { hasRules, insertEvent } from './event-queries.ts';
import type { Notify } from '../notification-event.ts';

interface NotifierOptions {
  now: () => number;
  newId: (prefix: string) => string;
}

/**
 * Creates a function that writes events to the outbox in the transaction of their cause, so that
 * neither is stored alone.
 */
export const createNotifier =
  ({ now, newId }: NotifierOptions): Notify =>
  async (tx, notifiable) => {
    const { tenant_id, event, cause, facts } = describeEvent(notifiable);
    if (!(await hasRules(tx.db, tenant_id))) return;
    const id = newId('nev');
    const created_at = now();
    const row = { tenant_id, id, event, cause, facts: JSON.stringify(facts), created_at };
    await insertEvent(tx, row);
  };
