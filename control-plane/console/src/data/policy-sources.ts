import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['policies'];
type Query = RouteRequest<Routes['listPolicies']>['query'];

export type Policy = RouteResponse<Routes['getPolicy']>;
export type ListedPolicy = RouteResponse<Routes['listPolicies']>['results'][number];
export type PolicyDraft = RouteRequest<Routes['createPolicy']>['body'];
export type PolicyCategory = RouteResponse<Routes['listPolicyCategories']>['results'][number];
export type PolicyVersion = RouteResponse<Routes['listPolicyVersions']>['results'][number];
export type PolicyVersionDetail = RouteResponse<Routes['getPolicyVersion']>;
export type Simulation = RouteResponse<Routes['simulatePolicy']>;

/** Policies are not sent over the live channel: pages refetch them after an edit. */
const noTopics = { topics: [] } as const;

export const policyList = (query: Query): Source<LoadedList<ListedPolicy>> => ({
  ...noTopics,
  pollMs: 30_000,
  key: keyFor('policies', query),
  load: (signal) => api.policies.listPolicies({ query }, { signal }),
});

export const policyDetail = (id: string): Source<Policy> => ({
  ...noTopics,
  key: keyFor('policy', id),
  load: (signal) => api.policies.getPolicy({ params: { id } }, { signal }),
});

export const policyCategories = (): Source<PolicyCategory[]> => ({
  ...noTopics,
  key: 'policy categories',
  load: async (signal) => (await api.policies.listPolicyCategories(undefined, { signal })).results,
});

export const policyVersions = (
  id: string,
  query: { limit: number; offset: number },
): Source<LoadedList<PolicyVersion>> => ({
  ...noTopics,
  key: keyFor('policy versions', id, query),
  load: (signal) => api.policies.listPolicyVersions({ params: { id }, query }, { signal }),
});

/** One version of a policy. Versions are immutable. */
export const policyVersion = (id: string, version: number): Source<PolicyVersionDetail> => ({
  ...noTopics,
  key: keyFor('policy version', id, version),
  load: (signal) => {
    const params = { id, version: String(version) };
    return api.policies.getPolicyVersion({ params }, { signal });
  },
});
