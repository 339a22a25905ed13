import { afterAll, beforeAll } from 'vitest';
import type { policyRoutes } from '#contract/policies.ts';
import type { RouteRequest } from '#contract/route.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';

export type NewPolicy = RouteRequest<(typeof policyRoutes)['createPolicy']>['body'];

export const rateLimitPolicy = {
  name: 'Steady pace',
  category: 'rate-limit',
  rules: { max_per_minute: 30 },
} satisfies NewPolicy;

/** Sets up a control plane, and creates, reads and deletes policies. */
export function setUpPolicies(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  let made = 0;
  return {
    get service() {
      return service;
    },
    create: (body: Partial<NewPolicy> = {}, by = service.byOwner) =>
      by.policies.createPolicy({
        body: { ...rateLimitPolicy, name: `Policy ${(made += 1)}`, ...body },
      }),
    get: (id: string) => service.byOwner.policies.getPolicy({ params: { id } }),
    remove: (id: string, note?: string) =>
      service.byKey.policies.deletePolicy({ params: { id }, query: { note } }),
  };
}
