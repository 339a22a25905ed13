import type { ApiError } from '#contract/errors.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { TenantState } from '../queries.ts';
import { addToDays, type DayCount, findDays } from './quota-queries.ts';
import { type NewAgents, refuseNewAgent, type StartingRun } from './refuse-new-agent.ts';
import { dayOf } from '../../lib/calendar.ts';
import { findUsedUp, NO_USAGE } from './quota-rules.ts';

/** Quota usage that a recording transaction adds to the current day. */
export interface DayCounts {
  /**
   * Reserves one run, or returns an error that names the exhausted quota without reserving
   * anything.
   */
  takeRun(run: StartingRun): Promise<ApiError | undefined>;
  /** Counts a run that was already admitted and restarts; with −1, reverts a run. */
  addRun(tenantId: string, runs?: 1 | -1): void;
  addTokens(tenantId: string, tokens: number): void;
  /** Stores the usage. Must be called once, before the transaction ends. */
  store(): Promise<void>;
}

/** Used if no tenant in the transaction has quotas. */
export const NO_COUNTS: DayCounts = {
  takeRun: () => Promise.resolve(undefined),
  addRun: () => undefined,
  addTokens: () => undefined,
  store: () => Promise.resolve(),
};

/**
 * Locks the quota usage of the day for all tenants in `lineages`. Until this transaction ends, no
 * other one counts there, so that concurrent admissions cannot exceed a quota. Tenants are locked
 * in the order of their ids, which prevents deadlocks.
 */
export async function openQuotaUsage(
  tx: Tx,
  lineages: ReadonlyMap<string, readonly TenantState[]>,
  now: number,
): Promise<DayCounts> {
  const ids = [...new Set([...lineages.values()].flat().map(({ id }) => id))].sort();
  if (ids.length === 0) return NO_COUNTS;
  const day = dayOf(now);
  const none = ids.map((tenant_id) => ({ tenant_id, day, ...NO_USAGE }));
  await addToDays(tx, none);
  const used = new Map((await findDays(tx.db, ids, day)).map((row) => [row.tenant_id, row]));
  const added = new Map<string, DayCount>(none.map((row) => [row.tenant_id, { ...row }]));
  const newAgents: NewAgents = new Map();

  const add = (tenantId: string, runs: number, tokens: number): void => {
    for (const { id } of lineages.get(tenantId) ?? [])
      for (const count of [added.get(id), used.get(id)]) {
        if (!count) continue;
        count.run_count += runs;
        count.total_tokens += tokens;
      }
  };
  const refusalOf = async (run: StartingRun, lineage: readonly TenantState[]) =>
    findUsedUp(lineage, (id) => used.get(id) ?? NO_USAGE, now) ??
    (await refuseNewAgent(tx.db, run, { lineage, newAgents, now }));

  return {
    async takeRun(run) {
      const refusal = await refusalOf(run, lineages.get(run.tenant_id) ?? []);
      if (!refusal) add(run.tenant_id, 1, 0);
      return refusal;
    },
    addRun: (tenantId, runs = 1) => add(tenantId, runs, 0),
    addTokens: (tenantId, tokens) => add(tenantId, 0, tokens),
    store: () =>
      addToDays(
        tx,
        [...added.values()].filter((row) => row.run_count !== 0 || row.total_tokens !== 0),
      ),
  };
}
