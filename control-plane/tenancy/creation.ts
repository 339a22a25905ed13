import type { Actor } from '../audit/changing.ts';

/** Who makes tenants, as the log of the tenant itself tells it: who asked is its parent's matter. */
export const theSystem: Actor = { actor_type: 'system', actor_id: 'gatehouse', ip: null };

/** What a tenant's log begins with, so that one without any entry is known to have lost them. */
export const creation = (id: string) => ({
  action: 'tenant.create',
  resource_type: 'tenant',
  resource_id: id,
});
