import { throttleTrailing } from '#lib/trailing-throttle.ts';
import type { Context } from '../context.ts';
import { runEvery, repeatWithPauses } from '../lib/background-job.ts';
import { listTenants } from '../tenants/queries.ts';
import { appGroupId } from './app-group.ts';
import { evaluateRules } from './evaluation/evaluate-changed-rule.ts';
import { processChanges } from './evaluation/process-changes.ts';
import { areBlocksDue, pushChangedBlocks } from './blocks-due.ts';
import { type EarlierApp, groupEarlierApps } from './queries.ts';

const LOOK_EVERY_MS = 60_000;
/** The shortest time between two pushes of blocks to the devices of a tenant. */
const MIN_PUSH_INTERVAL_MS = 1000;
const EARLIER_APPS_PER_STEP = 250;
/** The pause between turns, which leaves most of the database's time to reports. */
const REST_MS = 25;

/**
 * Keeps the fleet's app list and the findings of rules up to date: after a device's report or a
 * rule change, and every minute for work that another process left. The returned function stops
 * this at any point. Pending work is in the database, and this or another process resumes it.
 */
export function startInventoryJobs(context: Context): () => Promise<void> {
  const woken = new Set<string>();
  const deferred = new Set<string>();
  const sentAt = new Map<string, number>();
  let lookedAt = -Infinity;
  let wakeUp = (): void => {};

  /** Sends blocks at most once a second. Earlier changes are deferred. */
  const sendDue = async (tenantId: string): Promise<void> => {
    if (!(await areBlocksDue(context.storage.db, tenantId))) return;
    const waitMs = (sentAt.get(tenantId) ?? -Infinity) + MIN_PUSH_INTERVAL_MS - performance.now();
    if (waitMs > 0) {
      deferred.add(tenantId);
      return retry.request(waitMs);
    }
    sentAt.set(tenantId, performance.now());
    await pushChangedBlocks(context, tenantId);
  };

  const retry = throttleTrailing(() => {
    for (const tenantId of deferred) woken.add(tenantId);
    deferred.clear();
    wakeUp();
  }, MIN_PUSH_INTERVAL_MS);
  const stop = runEvery(
    async (stopping) => {
      if (performance.now() - lookedAt > LOOK_EVERY_MS) {
        for (const tenantId of await listTenants(context.storage.db)) woken.add(tenantId);
        lookedAt = performance.now();
      }
      // Each tenant has one turn. A tenant with work left has another one after the others.
      for (const tenantId of woken) {
        if (stopping.aborted) return;
        woken.delete(tenantId);
        await runTurn(context, tenantId, stopping)
          .then(async (more) => {
            if (more) woken.add(tenantId);
            await sendDue(tenantId);
          })
          .catch((error: unknown) =>
            context.log.error({ error, tenant_id: tenantId }, 'evaluating the inventory failed'),
          );
      }
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => context.log.error({ err }, 'evaluating the inventory failed'),
      trigger: (wake) => {
        wakeUp = wake;
        return context.storage.signals.subscribe(({ topic, tenant_id }) => {
          if (topic !== 'apps' && topic !== 'inventory_rules') return;
          woken.add(tenant_id);
          wake();
        });
      },
    },
  );
  return () => {
    retry.cancel();
    return stop();
  };
}

/** Runs one turn; returns whether work is left. */
async function runTurn(
  context: Context,
  tenantId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const { storage } = context;
  const step = () => groupEarlierApps(storage, tenantId, groupIdOf, EARLIER_APPS_PER_STEP);
  await repeatWithPauses(async () => (await step()) > 0, REST_MS, stopping);
  const changes = await processChanges(context, tenantId, stopping);
  const rules = await evaluateRules(context, tenantId, stopping);
  return changes || rules;
}

const groupIdOf = (app: EarlierApp): string =>
  appGroupId({ ...app, evidence: JSON.parse(app.evidence) as string[] });
