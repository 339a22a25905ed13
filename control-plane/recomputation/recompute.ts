import type { recomputation } from '#contract/costs.ts';
import type { z } from 'zod';
import { roundedCost } from '../llm-calls/rules.ts';
import { findRuns, type Recording } from '../recording/queries.ts';
import { recomputeLock } from '../storage/locks.ts';
import type { Storage } from '../storage/open.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import { countUsage } from '../usage/count.ts';
import type { Pricer } from '../costs/pricer.ts';
import { findCalls, listCallsAfter, type NewCost, setCosts, type StoredCall } from './queries.ts';
import { runRecording } from '../recording/recording-transaction.ts';
import { isPrice } from '../costs/recorded-cost.ts';

/** Selects the calls to recompute. */
export interface Scope {
  model?: string | undefined;
  /** The time since which the calls were made, in milliseconds since 1970. */
  since?: number | undefined;
  unpriced_only: boolean;
  /** Whether to include calls whose cost was sent by the client. */
  include_given: boolean;
  /** Whether to compute without storing anything. */
  dry_run: boolean;
}

export type Progress = Pick<
  z.output<typeof recomputation>,
  'checked' | 'changed' | 'cost_before' | 'cost_after' | 'unpriced'
>;

export const NO_PROGRESS: Progress = {
  checked: 0,
  changed: 0,
  cost_before: 0,
  cost_after: 0,
  unpriced: [],
};

// A step occupies SQLite's only connection for some milliseconds.
const CALLS_PER_STEP = 250;
const MAX_MODELS = 100;

/**
 * Recomputes the costs of a tenant's calls made before `until`, in steps of at most 250 calls, each
 * in its own transaction. It yields the progress after each step. Other transactions run between
 * steps, and the consumer decides when the next step begins.
 */
export async function* recompute(
  storage: Storage,
  tenantId: string,
  { pricer, scope, until }: { pricer: Pricer; scope: Scope; until: number },
): AsyncGenerator<Progress> {
  const progress = { ...NO_PROGRESS };
  const unpriced = new Map<string, number>();
  const reprice = repricer(pricer, scope);
  let after = { created_at: scope.since ?? 0, id: 0 };
  for (;;) {
    const page = { until, limit: CALLS_PER_STEP };
    const calls = await listCallsAfter(storage.db, tenantId, after, page);
    const last = calls.at(-1);
    if (!last) return;
    after = last;
    const changes: NewCost[] = [];
    for (const call of calls.filter((one) => isInScope(one, scope))) {
      const cost = reprice(call);
      progress.checked += 1;
      progress.cost_before += call.cost;
      progress.cost_after += cost.cost;
      if (isChange(call, cost)) changes.push(cost);
      if (cost.cost_source === 'unpriced')
        unpriced.set(call.model, (unpriced.get(call.model) ?? 0) + 1);
    }
    progress.changed += changes.length;
    if (changes.length > 0 && !scope.dry_run) await store(storage, tenantId, changes);
    yield {
      ...progress,
      cost_before: roundedCost(progress.cost_before),
      cost_after: roundedCost(progress.cost_after),
      unpriced: mostFirst(unpriced),
    };
  }
}

const isInScope = (call: StoredCall, { model, unpriced_only, include_given }: Scope): boolean =>
  (model === undefined || call.model === model) &&
  (!unpriced_only || sourceOf(call) === 'unpriced') &&
  (include_given || sourceOf(call) !== 'given');

/**
 * Returns the source of a stored cost. Earlier versions stored missing prices as `given`, and these
 * count as unpriced.
 */
const sourceOf = (call: StoredCall): StoredCall['cost_source'] =>
  call.cost_source === 'given' && !isPrice(call.cost, call) ? 'unpriced' : call.cost_source;

/**
 * Costs from these sources are kept if no price is found now, because the call did cost that much.
 */
const KEPT_SOURCES: readonly StoredCall['cost_source'][] = ['given', 'table', 'table_prefix'];

/**
 * Returns a function that computes the cost of a call with current prices, at the time when the
 * call was made.
 */
const repricer =
  (pricer: Pricer, { include_given }: Scope) =>
  (call: StoredCall): NewCost => {
    const { id, cost, cost_source } = call;
    const priced = pricer(call, call.created_at);
    const source = sourceOf(call);
    // Deleted overrides and prices of the operator, in contrast, are meant to lose their effect.
    const isLost = priced.cost_source === 'unpriced' && KEPT_SOURCES.includes(source);
    if (isLost || (source === 'given' && !include_given)) return { id, cost, cost_source };
    return { id, ...priced };
  };

const isChange = (call: NewCost, cost: NewCost): boolean =>
  call.cost !== cost.cost || call.cost_source !== cost.cost_source;

const mostFirst = (counts: ReadonlyMap<string, number>): Progress['unpriced'] =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_MODELS)
    .map(([model, call_count]) => ({ model, call_count }));

/** Updates the costs of calls, and all totals that contain them. */
function store(storage: Storage, tenantId: string, changes: readonly NewCost[]): Promise<void> {
  const costs = new Map(changes.map((change) => [change.id, change]));
  return storage.transaction(async (tx) => {
    // Two concurrent updates would both add the same difference to the totals.
    await tx.lock(recomputeLock(tenantId));
    const calls = await findCalls(tx, tenantId, [...costs.keys()]);
    const costOf = ({ id }: StoredCall): NewCost => costs.get(id) as NewCost;
    const changing = calls.filter((call) => isChange(call, costOf(call)));
    // Retention may have deleted some of them in the meantime.
    const stored = await setCosts(tx, tenantId, changing.map(costOf));
    const changed = changing.filter(({ id }) => stored.has(id));
    await storage.search.changed(tx, tenantId, [...stored.keys()]);
    const repriced = changed.map((call) => ({
      call,
      cost: costOf(call),
      isPrompted: stored.get(call.id) === 1,
    }));
    await runRecording(tx, storage, (recording) => addDifferences(recording, tenantId, repriced));
  });
}

interface Repriced {
  call: StoredCall;
  cost: NewCost;
  /** Whether it is counted in the usage of its prompt. */
  isPrompted: boolean;
}

async function addDifferences(
  recording: Recording,
  tenant_id: string,
  repriced: readonly Repriced[],
): Promise<void> {
  const runs = await findRuns(recording, tenant_id, [
    ...new Set(repriced.map(({ call }) => call.run_id)),
  ]);
  for (const { call, cost } of repriced) {
    const run = runs.get(call.run_id);
    if (!run) continue;
    const usage = {
      model: call.model,
      hour: Math.floor(call.created_at / HOUR_MS),
      call_count: 0,
      total_tokens: 0,
      total_cost: cost.cost - call.cost,
      unpriced_count:
        Number(cost.cost_source === 'unpriced') - Number(call.cost_source === 'unpriced'),
    };
    countUsage(recording.tally, run, usage, call.created_at);
  }
  const byRun = sumBy(repriced, ({ call }) => call.run_id);
  const runRows = byRun.map(([id, cost]) => ({ tenant_id, id, cost }));
  await recording.bulk.add('runs', { key: ['tenant_id', 'id'], add: ['cost'] }, runRows);
  const prompted = repriced.filter(({ isPrompted }) => isPrompted);
  const byPrompt = sumBy(prompted, ({ call }) => call.prompt_hash);
  const promptRows = byPrompt.map(([content_hash, total_cost]) => ({
    tenant_id,
    content_hash,
    total_cost,
  }));
  const how = { key: ['tenant_id', 'content_hash'], add: ['total_cost'] } as const;
  await recording.bulk.add('prompt_usage', how, promptRows);
}

/** Sums the cost differences, in a fixed order that prevents deadlocks. */
function sumBy<K extends string | number>(
  repriced: readonly Repriced[],
  keyOf: (one: Repriced) => K,
): [K, number][] {
  const sums = new Map<K, number>();
  for (const one of repriced) {
    const key = keyOf(one);
    sums.set(key, (sums.get(key) ?? 0) + one.cost.cost - one.call.cost);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}
