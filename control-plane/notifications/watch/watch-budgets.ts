import { DAY_MS, HOUR_MS } from '#lib/time-units.ts';
import { startOfPeriod } from '../../lib/calendar.ts';
import { budgetsOf, endUserBudget, periodsOf, type Budget, type UsageRow } from './budgets.ts';
import {
  listBudgetPolicies,
  listEndUserSpending,
  listGroupBudgets,
  listGroupsOf,
  listSpenders,
  listUsage,
} from './watch-queries.ts';
import type { WatchContext } from './watch-context.ts';

/**
 * Watches the daily, weekly and monthly limits of budget policies and the monthly budgets of end
 * users, at the percentages that rules name.
 */
export async function watchBudgets(watching: WatchContext): Promise<void> {
  const { tx, tenantId, now, rules } = watching;
  const interested = rules.filter(({ events }) => events.includes('budget.reached'));
  const thresholds = [...new Set(interested.map((rule) => rule.budget_percent))];
  const policies = await listBudgetPolicies(tx.db, tenantId);
  const usage = new Map<string, UsageRow[]>();
  for (const { period, zone } of periodsOf(policies)) {
    const hour = Math.floor(startOfPeriod(period, now, zone) / HOUR_MS);
    const key = `${period} ${zone}`;
    if (!usage.has(key)) usage.set(key, await listUsage(tx.db, tenantId, hour));
  }
  const ofPolicies = policies.flatMap((policy) =>
    budgetsOf(policy, (period, zone) => usage.get(`${period} ${zone}`) ?? []),
  );
  const first = startOfPeriod('month', now, 'UTC') / DAY_MS;
  const ofEndUsers = (await listEndUserSpending(tx.db, tenantId, first)).map(endUserBudget);
  const ofGroups = await groupBudgets(watching, first, Math.min(...thresholds));
  for (const threshold of thresholds)
    await notifyReached(watching, [...ofPolicies, ...ofEndUsers, ...ofGroups], threshold);
}

/**
 * Returns the budgets of end users who have spent the lowest percentage of a rule or more of the
 * budget of their group.
 */
async function groupBudgets(
  { tx, tenantId }: WatchContext,
  firstDay: number,
  lowestPercent: number,
): Promise<Budget[]> {
  const groups = await listGroupBudgets(tx.db, tenantId);
  if (groups.length === 0) return [];
  const smallest = Math.min(...groups.map(({ max }) => max ?? Infinity));
  // The amount is slightly lower, because sums of binary fractions are not exact.
  const least = smallest * (lowestPercent / 100) * (1 - 1e-9);
  const budgets: Budget[] = [];
  for (const { id, used } of await listSpenders(tx.db, tenantId, firstDay, least)) {
    const names = new Set(await listGroupsOf(tx.db, tenantId, id, firstDay * DAY_MS));
    for (const { id: group, max } of groups)
      if (names.has(group)) budgets.push(endUserBudget({ id, used, max, group }));
  }
  return budgets;
}

/** Sends a notification once per period, which is named by its first day. */
async function notifyReached(
  { tenantId, now, mark, notify }: WatchContext,
  budgets: readonly Budget[],
  threshold: number,
): Promise<void> {
  for (const { key, period, zone, ...budget } of budgets) {
    if (budget.percent < threshold) continue;
    const first = Math.floor(startOfPeriod(period, now, zone) / DAY_MS);
    if (await mark(`budget ${threshold} ${key}`, String(first)))
      await notify({ event: 'budget.reached', tenantId, ...budget, threshold });
  }
}
