import { incidentSource, incidentStatus } from '#contract/governance.ts';
import { actions, phases } from '#contract/policy-words.ts';
import type { Filters } from '../use-filters.ts';

type Given = Pick<Filters, 'get'>;

/** Of an address, which may be edited by hand: what the service would refuse is left out. */
function commonOf({ get }: Given) {
  const action = actions.find((one) => one === get('action'));
  const [category, agent] = [get('category'), get('agent')];
  return { ...(action && { action }), ...(category && { category }), ...(agent && { agent }) };
}

export function incidentFilterOf(filters: Given) {
  const status = incidentStatus.options.find((one) => one === filters.get('status'));
  const source = incidentSource.options.find((one) => one === filters.get('source'));
  const [policy_id, device_id] = [filters.get('policy'), filters.get('device')];
  return {
    ...commonOf(filters),
    ...(status && { status }),
    ...(source && { source }),
    ...(policy_id && { policy_id }),
    ...(device_id && { device_id }),
  };
}

export function evaluationFilterOf(filters: Given) {
  const phase = phases.find((one) => one === filters.get('phase'));
  return { ...commonOf(filters), ...(phase && { phase }) };
}
