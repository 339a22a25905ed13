import { incidentSource, incidentStatus } from '#contract/governance.ts';
import { actions, phases } from '#contract/policy-words.ts';
import type { Filters } from '../use-filters.ts';

type UrlFilters = Pick<Filters, 'get'>;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
function commonFilterOf({ get }: UrlFilters) {
  const action = actions.find((one) => one === get('action'));
  const [category, agent] = [get('category'), get('agent')];
  return { ...(action && { action }), ...(category && { category }), ...(agent && { agent }) };
}

export function incidentFilterOf(filters: UrlFilters) {
  const status = incidentStatus.options.find((one) => one === filters.get('status'));
  const source = incidentSource.options.find((one) => one === filters.get('source'));
  const [policy_id, device_id] = [filters.get('policy'), filters.get('device')];
  return {
    ...commonFilterOf(filters),
    ...(status && { status }),
    ...(source && { source }),
    ...(policy_id && { policy_id }),
    ...(device_id && { device_id }),
  };
}

export function evaluationFilterOf(filters: UrlFilters) {
  const phase = phases.find((one) => one === filters.get('phase'));
  return { ...commonFilterOf(filters), ...(phase && { phase }) };
}
