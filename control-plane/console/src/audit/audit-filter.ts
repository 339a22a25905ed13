import { actorTypes } from '#contract/audit.ts';
import type { Filters } from '../use-filters.ts';

/** Of an address, which may be edited by hand: what the service would refuse is left out. */
export function auditFilterOf({ get }: Pick<Filters, 'get'>) {
  const actor_type = actorTypes.find((type) => type === get('actor'));
  const action = get('action').trim();
  const isAction = /^[^*]+\*?$|^\*$/.test(action);
  return { ...(actor_type && { actor_type }), ...(isAction && { action }) };
}
