import { ApiError } from '#contract/errors.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { dayOf } from '../../lib/calendar.ts';
import type { QuotaField, Quotas } from '#contract/sub-tenants.ts';

export interface QuotaUsage {
  run_count: number;
  total_tokens: number;
}

export const NO_USAGE: QuotaUsage = { run_count: 0, total_tokens: 0 };

type TenantQuotas = Quotas & { id: string };

/** Finds the first quota in a lineage that is exhausted for the day. */
export function findUsedUp(
  lineage: readonly TenantQuotas[],
  usedBy: (tenantId: string) => QuotaUsage,
  now: number,
): ApiError | undefined {
  for (const tenant of lineage) {
    const { run_count, total_tokens } = usedBy(tenant.id);
    const refusal =
      refuseAt('max_agent_runs_per_day', run_count, tenant, now) ??
      refuseAt('max_tokens_per_day', total_tokens, tenant, now);
    if (refusal) return refusal;
  }
  return undefined;
}

/**
 * Returns an error if the quota is exhausted. For a quota that renews, it contains the time until
 * then.
 */
export function refuseAt(
  quota: QuotaField,
  used: number,
  tenant: Quotas,
  now: number,
): ApiError | undefined {
  const limit = tenant[quota];
  if (limit === null || used < limit) return undefined;
  const midnight = (dayOf(now) + 1) * DAY_MS;
  return new ApiError('quota_exhausted', `${quota}: ${used}/${limit}`, {
    quota,
    limit,
    used,
    ...(quota !== 'max_agents' && { retry_after: Math.ceil((midnight - now) / 1000) }),
  });
}

/**
 * Whether the usage of a tenant is counted. Only sub-tenants and tenants with a quota are, to save
 * the cost for others.
 */
export const isCounted = (tenant: Quotas & { parent_id: string | null }): boolean =>
  tenant.parent_id !== null ||
  tenant.max_agents !== null ||
  tenant.max_tokens_per_day !== null ||
  tenant.max_agent_runs_per_day !== null;
