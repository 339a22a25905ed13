import { actorTypes, auditSorts } from '#contract/audit.ts';
import type { AuditFilter } from '../data/audit-sources.ts';
import { sortOf } from '../lists/sort-order.ts';
import type { Filters } from '../use-filters.ts';

export const FIRST_AUDIT_SORT = '-created_at';

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function auditFilterOf({ get }: Pick<Filters, 'get'>): AuditFilter {
  const actor_type = actorTypes.find((type) => type === get('actor'));
  const action = get('action').trim();
  const isAction = /^[^*]+\*?$|^\*$/.test(action);
  const [actor, resource] = [get('who').trim().slice(0, 200), get('object').trim().slice(0, 200)];
  return {
    ...(actor_type && { actor_type }),
    ...(isAction && { action }),
    ...(actor && { actor }),
    ...(resource && { resource }),
    ...sortOf({ get }, auditSorts, FIRST_AUDIT_SORT),
  };
}
