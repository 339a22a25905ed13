import type { NotificationEventName } from '#contract/notifications.ts';
import type { Context } from '../../context.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { notificationsLock } from '../../storage/locks.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { NotifiableEvent } from '../../notification-event.ts';
import { deleteOldMarks, putMark, readMarks } from '../mark-queries.ts';
import { conditionsOf } from '../routing.ts';
import { listEnabledRules } from '../rule-queries.ts';
import { watchBudgets } from './watch-budgets.ts';
import { watchDevices } from './watch-devices.ts';
import { watchRecording } from './watch-recording.ts';
import type { WatchContext } from './watch-context.ts';
import { listExpiring } from './watch-queries.ts';

const MINUTE_MS = 60_000;
const WARNING_MS = 10 * MINUTE_MS;

/** Reports requests that have less than ten minutes and less than half of their time left. */
export async function watchApprovals({
  tx,
  tenantId,
  now,
  mark,
  notify,
}: WatchContext): Promise<void> {
  for (const approval of await listExpiring(tx.db, tenantId, now, now + WARNING_MS)) {
    const half = (approval.timeout_minutes * MINUTE_MS) / 2;
    if (approval.expires_at - now > half) continue;
    if (await mark(`expiring ${approval.id}`, ''))
      await notify({ event: 'approval.expiring', approval });
  }
}

/** How long marks are needed: until approvals have expired, and until the next month. */
const marksLast = { 'expiring ': 8 * DAY_MS, 'offline ': 16 * DAY_MS, 'budget ': 40 * DAY_MS };

/**
 * Watches for states that no request announces, such as expiring requests and growing totals. What
 * is found is marked in the same transaction, so that one state is one event, whichever process
 * finds it.
 */
export function watchTenant(context: Context, tenantId: string, startedAt: number): Promise<void> {
  return context.storage.transaction(async (tx) => {
    await tx.lock(notificationsLock(tenantId));
    const rules = (await listEnabledRules(tx.db, tenantId)).map((rule) => ({
      ...conditionsOf(rule),
      since: rule.updated_at,
    }));
    const watched = new Set(rules.flatMap(({ events }) => events));
    const watching = await openWatching(tx, context, tenantId, { rules, startedAt });
    const looks: [NotificationEventName, (watching: WatchContext) => Promise<void>][] = [
      ['approval.expiring', watchApprovals],
      ['budget.reached', watchBudgets],
      ['device.offline', (of) => watchDevices.offline(of)],
      ['device.problem', (of) => watchDevices.problems(of)],
      ['recording.failing', (of) => watchRecording.failures(of)],
    ];
    for (const [event, look] of looks) if (watched.has(event)) await look(watching);
    if (!watched.has('recording.failing')) await watchRecording.forget(watching);
    for (const [prefix, lasts] of Object.entries(marksLast))
      await deleteOldMarks(tx, tenantId, prefix, context.now() - lasts);
  });
}

async function openWatching(
  tx: Tx,
  context: Context,
  tenantId: string,
  { rules, startedAt }: Pick<WatchContext, 'rules' | 'startedAt'>,
): Promise<WatchContext> {
  const now = context.now();
  const marks = await readMarks(tx.db, tenantId);
  const mark = async (key: string, value: string): Promise<boolean> => {
    if (marks.get(key) === value) return false;
    marks.set(key, value);
    await putMark(tx, tenantId, key, { value, updated_at: now });
    return true;
  };
  return {
    tx,
    tenantId,
    now,
    startedAt,
    rules,
    marks,
    mark,
    notify: (event: NotifiableEvent) => context.notify(tx, event),
  };
}
