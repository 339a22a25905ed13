import { t } from '@lingui/core/macro';
import type { QuotaField } from '#contract/sub-tenants.ts';
import { quotaFields } from '#contract/sub-tenants.ts';
import type { Quotas, SubTenantDetail } from '../data/sub-tenant-sources.ts';

/** Form state of a sub-tenant. Empty fields are null in requests. */
export interface TenantDraft {
  name: string;
  external_id: string;
  contact_email: string;
  quotas: Record<QuotaField, string>;
}

export const quotaNames: Record<QuotaField, string> = {
  max_agents: t`Agents`,
  max_tokens_per_day: t`Tokens per day`,
  max_agent_runs_per_day: t`Runs per day`,
};

const byQuota = <T>(of: (field: QuotaField) => T) =>
  Object.fromEntries(quotaFields.map((field) => [field, of(field)])) as Record<QuotaField, T>;

export const draftOf = (tenant?: SubTenantDetail): TenantDraft => ({
  name: tenant?.name ?? '',
  external_id: tenant?.external_id ?? '',
  contact_email: tenant?.contact_email ?? '',
  quotas: byQuota((field) => tenant?.quotas[field]?.toString() ?? ''),
});

/** Converts the draft to a request body. The service validates the quotas. */
export const bodyOf = ({ name, external_id, contact_email, quotas }: TenantDraft) => ({
  name: name.trim(),
  external_id: external_id.trim() || null,
  contact_email: contact_email.trim() || null,
  quotas: byQuota((field) => numberOf(quotas[field])) satisfies Quotas,
});

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
