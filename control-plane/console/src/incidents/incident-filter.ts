import { actions, phases } from '#contract/policy-actions.ts';
import {
  incidentGroupSorts,
  incidentSeverity,
  incidentSource,
  incidentStatus,
} from '#contract/incidents.ts';
import type { GroupSort, TriageFilter } from '../data/incident-sources.ts';
import type { Filters } from '../use-filters.ts';

type UrlFilters = Pick<Filters, 'get'>;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
function commonFilterOf({ get }: UrlFilters) {
  const action = actions.find((one) => one === get('action'));
  const [category, agent] = [get('category'), get('agent')];
  return { ...(action && { action }), ...(category && { category }), ...(agent && { agent }) };
}

export function incidentFilterOf(filters: UrlFilters): TriageFilter {
  const status = incidentStatus.options.find((one) => one === filters.get('status'));
  const source = incidentSource.options.find((one) => one === filters.get('source'));
  const severity = incidentSeverity.options.find((one) => one === filters.get('severity'));
  const [policy_id, device_id] = [filters.get('policy'), filters.get('device')];
  const [assignee, search] = [filters.get('assignee'), filters.get('search').trim().slice(0, 200)];
  return {
    ...commonFilterOf(filters),
    ...(status && { status }),
    ...(source && { source }),
    ...(policy_id && { policy_id }),
    ...(device_id && { device_id }),
    ...(severity && { severity }),
    ...(assignee && { assignee }),
    ...(search && { search }),
  };
}

export function evaluationFilterOf(filters: UrlFilters) {
  const phase = phases.find((one) => one === filters.get('phase'));
  return { ...commonFilterOf(filters), ...(phase && { phase }) };
}

export const FIRST_GROUP_SORT = '-last_seen';

export const groupSortOf = ({ get }: UrlFilters): GroupSort =>
  incidentGroupSorts
    .flatMap((name) => [name, `-${name}`] as const)
    .find((sort) => sort === get('sort')) ?? FIRST_GROUP_SORT;
