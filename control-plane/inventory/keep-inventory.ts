import type { Context } from '../context.ts';
import { runEvery } from '../lib/background-job.ts';
import { listTenants } from '../retention/queries.ts';
import { sleep } from '../lib/sleep.ts';
import { appGroupId } from '../device-reports/rows.ts';
import { evaluateRules } from './evaluation/evaluate-rule.ts';
import { workOffChanges } from './evaluation/evaluate-pending.ts';
import { type EarlierApp, groupEarlierApps } from './queries.ts';

const LOOK_EVERY_MS = 60_000;
const EARLIER_APPS_PER_STEP = 250;
/** Reports have the database for most of the time. */
const REST_MS = 25;

/**
 * Keeps the fleet's list of apps and what rules find in it up to date: when a device reported apps or a
 * rule was changed, and every minute what another process left. The answered function ends it, in the
 * middle if need be: what was not done stands in the database, and this or another process goes on.
 */
export function keepInventory(context: Context): () => Promise<void> {
  const woken = new Set<string>();
  let lookedAt = -Infinity;
  return runEvery(
    async (stopping) => {
      if (performance.now() - lookedAt > LOOK_EVERY_MS) {
        for (const tenantId of await listTenants(context.storage.db)) woken.add(tenantId);
        lookedAt = performance.now();
      }
      const tenants = [...woken];
      woken.clear();
      for (const tenantId of tenants)
        await workOff(context, tenantId, stopping).catch((err: unknown) =>
          context.log.error({ err, tenant_id: tenantId }, 'evaluating the inventory failed'),
        );
    },
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => context.log.error({ err }, 'evaluating the inventory failed'),
      trigger: (wake) =>
        context.storage.signals.subscribe(({ topic, tenant_id }) => {
          if (topic !== 'apps' && topic !== 'inventory_rules') return;
          woken.add(tenant_id);
          wake();
        }),
    },
  );
}

async function workOff(context: Context, tenantId: string, stopping: AbortSignal): Promise<void> {
  const { storage } = context;
  const step = () => groupEarlierApps(storage, tenantId, groupIdOf, EARLIER_APPS_PER_STEP);
  while (!stopping.aborted && (await step()) > 0) await sleep(REST_MS, stopping);
  await workOffChanges(context, tenantId, stopping);
  await evaluateRules(context, tenantId, stopping);
}

const groupIdOf = (app: EarlierApp): string =>
  appGroupId({ ...app, evidence: JSON.parse(app.evidence) as string[] });
