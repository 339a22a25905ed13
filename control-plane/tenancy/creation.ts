import type { Actor } from '../audit/changing.ts';

/** Actor of a tenant's creation in its own log: the parent's log names the user who created it. */
export const theSystem: Actor = { actor_type: 'system', actor_id: 'gatehouse', ip: null };

/** First entry of a tenant's log; a log without any entry has therefore lost its entries. */
export const creation = (id: string) => ({
  action: 'tenant.create',
  resource_type: 'tenant',
  resource_id: id,
});
