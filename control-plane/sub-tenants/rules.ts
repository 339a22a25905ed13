import { quotaFields, type QuotaField, type Quotas } from '#contract/sub-tenants.ts';

/** The maximum nesting depth. The first tenant has depth 1, and its sub-tenants have depth 2. */
export const MAX_DEPTH = 6;

const UNLIMITED: Quotas = {
  max_agents: null,
  max_tokens_per_day: null,
  max_agent_runs_per_day: null,
};

export const quotasOf = (tenant: Quotas): Quotas => ({
  max_agents: tenant.max_agents,
  max_tokens_per_day: tenant.max_tokens_per_day,
  max_agent_runs_per_day: tenant.max_agent_runs_per_day,
});

/** Returns the effective limits of a tenant: the minimum of each quota in its lineage. */
export const effectiveQuotasOf = (lineage: readonly Quotas[]): Quotas =>
  lineage.reduce<Quotas>(
    (limits, tenant) => ({
      max_agents: lesser(limits.max_agents, tenant.max_agents),
      max_tokens_per_day: lesser(limits.max_tokens_per_day, tenant.max_tokens_per_day),
      max_agent_runs_per_day: lesser(limits.max_agent_runs_per_day, tenant.max_agent_runs_per_day),
    }),
    UNLIMITED,
  );

const lesser = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/**
 * Details of a quota error: the ancestor's limit that is exceeded, or the largest sub-tenant quota
 * above the value.
 */
export type QuotaConflict = { field: QuotaField; requested: number } & (
  | { parent_limit: number }
  | { sub_tenant_id: string; sub_tenant_quota: number }
);

/**
 * Finds the first changed quota that exceeds an ancestor's limit or falls below a sub-tenant's
 * quota.
 */
export function findConflict(
  change: Partial<Quotas>,
  limits: Quotas,
  below: readonly (Quotas & { id: string })[],
): QuotaConflict | undefined {
  for (const field of quotaFields) {
    const requested = change[field] ?? null;
    if (requested === null) continue;
    const parent_limit = limits[field];
    if (parent_limit !== null && requested > parent_limit)
      return { field, requested, parent_limit };
    const largest = below.toSorted((a, b) => (b[field] ?? 0) - (a[field] ?? 0))[0];
    const sub_tenant_quota = largest?.[field] ?? 0;
    if (largest && sub_tenant_quota > requested)
      return { field, requested, sub_tenant_id: largest.id, sub_tenant_quota };
  }
  return undefined;
}

const MAX_SLUG_LENGTH = 50;

/**
 * Returns a URL slug: `Müller & Söhne` becomes `muller-sohne`, with a number appended if that
 * exists.
 */
export function slugOf(name: string, existing: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '');
  const slug = plain || 'tenant';
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!existing.has(candidate)) return candidate;
  }
}
