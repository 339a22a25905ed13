import type { InventoryRule } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { riskWords } from '../devices/risk-words.ts';
import type { ConditionType } from './rule-draft.ts';

export const conditionNames: Record<ConditionType, string> = {
  not_allowed: 'Apps not on the allowlist',
  listed: 'Listed apps',
  version_below: 'Apps below a version',
  risk_flags: 'Apps with a risk',
};

/** What a rule finds, in one line. */
export function conditionText({ condition }: Pick<InventoryRule, 'condition'>): string {
  const kinds = (condition.kinds ?? []).map((kind) => kindNames[kind]).join(', ') || 'Any kind';
  switch (condition.type) {
    case 'not_allowed':
      return `${kinds}, except ${condition.allowed.join(', ') || 'none'}`;
    case 'listed':
      return `${kinds}: ${condition.apps.join(', ')}`;
    case 'version_below':
      return `${kinds}: ${condition.apps.join(', ')} below ${condition.version}`;
    case 'risk_flags':
      return `${kinds} with a risk: ${condition.flags.map((flag) => riskWords(flag).name).join(', ')}`;
  }
}

/** Which devices a rule is for. */
export function devicesText({ scope }: Pick<InventoryRule, 'scope'>): string {
  const names = [...(scope?.user_groups ?? []), ...(scope?.devices ?? [])];
  return names.length === 0 ? 'all' : names.join(', ');
}
