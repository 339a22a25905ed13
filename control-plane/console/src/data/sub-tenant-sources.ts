import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['subTenants'];
type Query = RouteRequest<Routes['listSubTenants']>['query'];

export type SubTenant = RouteResponse<Routes['listSubTenants']>['sub_tenants'][number];
export type SubTenantDetail = RouteResponse<Routes['getSubTenant']>;
export type Quotas = SubTenantDetail['quotas'];

export const subTenantList = (query: Query): Source<SubTenant[]> => ({
  key: keyFor('sub-tenants', query),
  topics: [],
  load: async (signal) => (await api.subTenants.listSubTenants({ query }, { signal })).sub_tenants,
});

/** A sub-tenant. Polled, because its usage is not sent over this tenant's live channel. */
export const subTenantDetail = (sub_tenant_id: string): Source<SubTenantDetail> => ({
  key: keyFor('sub-tenant', sub_tenant_id),
  topics: [],
  pollMs: 15_000,
  load: (signal) => api.subTenants.getSubTenant({ params: { sub_tenant_id } }, { signal }),
});
