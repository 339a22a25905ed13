import type { AppKind, InventoryRule, InventoryRuleBody } from '../data/inventory-sources.ts';

export type ConditionType = InventoryRule['condition']['type'];

/** Form state of an inventory rule. Lists are text with one name per line. */
export interface RuleDraft {
  name: string;
  description: string;
  enabled: boolean;
  type: ConditionType;
  kinds: AppKind[];
  /**
   * The allowed apps if the condition is `not_allowed`; otherwise the apps that the rule matches.
   */
  apps: string;
  version: string;
  flags: string[];
  user_groups: string;
  devices: string;
  action: 'incident' | 'block';
}

export const newRule: RuleDraft = {
  name: '',
  description: '',
  enabled: true,
  type: 'not_allowed',
  kinds: ['mcp_server'],
  apps: '',
  version: '',
  flags: [],
  user_groups: '',
  devices: '',
  action: 'incident',
};

export function draftOf(rule: InventoryRule): RuleDraft {
  const { name, description, enabled, condition, scope, action } = rule;
  const apps = condition.type === 'not_allowed' ? condition.allowed : (condition.apps ?? []);
  return {
    name,
    description: description ?? '',
    enabled: enabled ?? true,
    action: action ?? 'incident',
    type: condition.type,
    kinds: condition.kinds ?? [],
    apps: apps.join('\n'),
    version: condition.type === 'version_below' ? condition.version : '',
    flags: condition.type === 'risk_flags' ? condition.flags : [],
    user_groups: (scope?.user_groups ?? []).join('\n'),
    devices: (scope?.devices ?? []).join('\n'),
  };
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function conditionOf({
  type,
  kinds,
  flags,
  version,
  ...draft
}: RuleDraft): InventoryRuleBody['condition'] {
  const apps = lines(draft.apps);
  switch (type) {
    case 'listed':
      return { type, kinds, apps };
    case 'not_allowed':
      return { type, kinds, allowed: apps };
    case 'version_below':
      return { type, kinds, apps, version: version.trim() };
    case 'risk_flags':
      return { type, kinds, apps, flags };
  }
}

export const bodyOf = (draft: RuleDraft): InventoryRuleBody => ({
  name: draft.name.trim(),
  description: draft.description,
  enabled: draft.enabled,
  condition: conditionOf(draft),
  scope: { user_groups: lines(draft.user_groups), devices: lines(draft.devices) },
  action: draft.action,
});
