import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { runEvery, repeatWithPauses } from '../lib/background-job.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { deleteOldDeliveries, listTenantsWithDeliveries } from './delivery-queries.ts';
import { listTenantsWithEvents } from './event-queries.ts';
import { routeEvents } from './routing.ts';
import { listTenantsWithRules } from './rule-queries.ts';
import { deliverDue } from './sending/deliver.ts';
import { watchTenant } from './watch/watch.ts';

/** The jobs poll, because another process may have stored the events, and may have ended since. */
const LOOK_EVERY_MS = 500;
const WATCH_EVERY_MS = 5000;
const DELETE_EVERY_MS = 3_600_000;
const DELIVERY_RETENTION_MS = 30 * DAY_MS;
const ROWS_PER_STEP = 250;
const REST_MS = 25;

/**
 * Starts the jobs that turn events into messages, send them, watch for states, and delete old
 * messages.
 */
export function startNotificationJobs(context: Context): () => Promise<void> {
  const onError = (what: string) => (err: unknown) => context.log.error({ err }, what);
  const startedAt = context.now();
  const sender = { owner: randomUUID(), busy: new Set<string>() };
  const stops = [
    runEvery((stopping) => routeAll(context, stopping), {
      everyMs: LOOK_EVERY_MS,
      onError: onError('creating notifications of events failed'),
    }),
    runEvery((stopping) => deliverDue(context, sender, stopping), {
      everyMs: LOOK_EVERY_MS,
      onError: onError('sending notifications failed'),
    }),
    runEvery((stopping) => watchAll(context, startedAt, stopping), {
      everyMs: WATCH_EVERY_MS,
      onError: onError('watching for notifications failed'),
    }),
    runEvery((stopping) => deleteOld(context, stopping), {
      everyMs: DELETE_EVERY_MS,
      onError: onError('deleting old notifications failed'),
    }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function routeAll(context: Context, stopping: AbortSignal): Promise<void> {
  for (const tenantId of await listTenantsWithEvents(context.storage.db))
    await repeatWithPauses(() => routeEvents(context, tenantId), REST_MS, stopping);
}

async function watchAll(context: Context, startedAt: number, stopping: AbortSignal) {
  for (const tenantId of await listTenantsWithRules(context.storage.db))
    if (!stopping.aborted) await watchTenant(context, tenantId, startedAt);
}

async function deleteOld(context: Context, stopping: AbortSignal): Promise<void> {
  const { db, transaction } = context.storage;
  const before = context.now() - DELIVERY_RETENTION_MS;
  for (const tenantId of await listTenantsWithDeliveries(db)) {
    const step = () =>
      transaction((tx) => deleteOldDeliveries(tx, tenantId, before, ROWS_PER_STEP));
    await repeatWithPauses(async () => (await step()) >= ROWS_PER_STEP, REST_MS, stopping);
  }
}
