import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['approvals'];
type Query = RouteRequest<Routes['listApprovals']>['query'];

export type Approval = RouteResponse<Routes['getApproval']>;
export type ApprovalStatus = Approval['status'];

/** Polled, because expiry is not sent over the live channel. */
const polled = { topics: ['approvals'], throttleMs: 500, pollMs: 10_000 } as const;

export const approvalList = (query: Query): Source<LoadedList<Approval>> => ({
  ...polled,
  key: keyFor('approvals', query),
  load: (signal) => api.approvals.listApprovals({ query }, { signal }),
});

/** Number of pending requests. */
export const pendingApprovals = (): Source<number> => ({
  ...polled,
  key: 'pending approvals',
  load: async (signal) => {
    const query = { status: 'pending', limit: 1 } as const;
    return (await api.approvals.listApprovals({ query }, { signal })).count;
  },
});
