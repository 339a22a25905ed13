import { actorTypes } from '#contract/audit.ts';
import type { Filters } from '../use-filters.ts';

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function auditFilterOf({ get }: Pick<Filters, 'get'>) {
  const actor_type = actorTypes.find((type) => type === get('actor'));
  const action = get('action').trim();
  const isAction = /^[^*]+\*?$|^\*$/.test(action);
  return { ...(actor_type && { actor_type }), ...(isAction && { action }) };
}
