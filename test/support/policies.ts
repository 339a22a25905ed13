import type { policyRoutes } from '#contract/policies.ts';
import type { RouteRequest } from '#contract/route.ts';

export type NewPolicy = RouteRequest<(typeof policyRoutes)['createPolicy']>['body'];

export const pace = {
  name: 'Steady pace',
  category: 'rate-limit',
  rules: { max_per_minute: 30 },
} satisfies NewPolicy;
