import type { ApiError } from '#contract/errors.ts';
import type { Bulk } from '../../storage/bulk.ts';
import type { Trx } from '../../storage/open.ts';
import type { TenantLimits } from '../queries.ts';
import { addToDays, type DayCount, findDays } from './quota-queries.ts';
import { type NewAgents, refuseNewAgent, type StartingRun } from './refuse-new-agent.ts';
import { dayOf } from '../../lib/days.ts';
import { findUsedUp, NOTHING_USED } from './quota-rules.ts';

/** What a recording transaction adds to the day of the tenants that are counted. */
export interface DayCounts {
  /** Takes one run of the day, or answers which quota is used up; then nothing is taken. */
  takeRun(run: StartingRun): Promise<ApiError | undefined>;
  /** For what was admitted before and begins again, or with −1 is taken back. */
  addRun(tenantId: string, runs?: 1 | -1): void;
  addTokens(tenantId: string, tokens: number): void;
  /** Called once, before the transaction ends. */
  store(): Promise<void>;
}

/** Where nobody is counted. */
export const NO_COUNTS: DayCounts = {
  takeRun: () => Promise.resolve(undefined),
  addRun: () => undefined,
  addTokens: () => undefined,
  store: () => Promise.resolve(),
};

/**
 * Opens the day of all tenants in these lines. Until the transaction ends nobody else counts there,
 * so that what is admitted at once is no more than what is left. They are taken in the order of
 * their ids, so that two transactions never wait for each other.
 */
export async function openQuotaUsage(
  trx: Trx,
  bulk: Bulk,
  lines: ReadonlyMap<string, readonly TenantLimits[]>,
  now: number,
): Promise<DayCounts> {
  const ids = [...new Set([...lines.values()].flat().map(({ id }) => id))].sort();
  if (ids.length === 0) return NO_COUNTS;
  const day = dayOf(now);
  const none = ids.map((tenant_id) => ({ tenant_id, day, ...NOTHING_USED }));
  await addToDays(trx, bulk, none);
  const used = new Map((await findDays(trx, ids, day)).map((row) => [row.tenant_id, row]));
  const added = new Map<string, DayCount>(none.map((row) => [row.tenant_id, { ...row }]));
  const newcomers: NewAgents = new Map();

  const add = (tenantId: string, runs: number, tokens: number): void => {
    for (const { id } of lines.get(tenantId) ?? [])
      for (const count of [added.get(id), used.get(id)]) {
        if (!count) continue;
        count.run_count += runs;
        count.total_tokens += tokens;
      }
  };
  const refusalOf = async (run: StartingRun, line: readonly TenantLimits[]) =>
    findUsedUp(line, (id) => used.get(id) ?? NOTHING_USED, now) ??
    (await refuseNewAgent(trx, run, { line, newcomers, now }));

  return {
    async takeRun(run) {
      const refusal = await refusalOf(run, lines.get(run.tenant_id) ?? []);
      if (!refusal) add(run.tenant_id, 1, 0);
      return refusal;
    },
    addRun: (tenantId, runs = 1) => add(tenantId, runs, 0),
    addTokens: (tenantId, tokens) => add(tenantId, 0, tokens),
    store: () =>
      addToDays(
        trx,
        bulk,
        [...added.values()].filter((row) => row.run_count !== 0 || row.total_tokens !== 0),
      ),
  };
}
