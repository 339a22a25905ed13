import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './many.ts';
import type { Many } from './many.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['approvals'];
type Query = RouteRequest<Routes['listApprovals']>['query'];

export type Approval = RouteResponse<Routes['getApproval']>;
export type ApprovalStatus = Approval['status'];

/** Agents ask at any time, and what they ask expires: nobody tells of either. */
const asked = { topics: ['runs'], gather: 1000, every: 10_000 } as const;

export const approvalList = (query: Query): Source<Many<Approval>> => ({
  ...asked,
  key: keyFor('approvals', query),
  load: (signal) => api.approvals.listApprovals({ query }, { signal }),
});

/** How many wait for a decision. */
export const pendingApprovals = (): Source<number> => ({
  ...asked,
  key: 'pending approvals',
  load: async (signal) => {
    const query = { status: 'pending', limit: 1 } as const;
    return (await api.approvals.listApprovals({ query }, { signal })).count;
  },
});
