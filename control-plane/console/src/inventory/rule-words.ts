import { t } from '@lingui/core/macro';
import type { InventoryRule } from '../data/inventory-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { riskWords } from '../devices/risk-words.ts';
import type { ConditionType } from './rule-draft.ts';

export const conditionNames: Record<ConditionType, string> = {
  not_allowed: t`Apps not on the allowlist`,
  listed: t`Listed apps`,
  version_below: t`Apps below a version`,
  risk_flags: t`Apps with a risk`,
};

/** Describes the condition of a rule in one line. */
export function conditionText({ condition }: Pick<InventoryRule, 'condition'>): string {
  const kinds = (condition.kinds ?? []).map((kind) => kindNames[kind]).join(', ') || t`Any kind`;
  switch (condition.type) {
    case 'not_allowed': {
      const allowed = condition.allowed.join(', ') || t`none`;
      return t`${kinds}, except ${allowed}`;
    }
    case 'listed': {
      const apps = condition.apps.join(', ');
      return t`${kinds}: ${apps}`;
    }
    case 'version_below': {
      const apps = condition.apps.join(', ');
      return t`${kinds}: ${apps} below ${condition.version}`;
    }
    case 'risk_flags': {
      const risks = condition.flags.map((flag) => riskWords(flag).name).join(', ');
      return t`${kinds} with a risk: ${risks}`;
    }
  }
}

/** Describes the devices that a rule applies to. */
export function devicesText({ scope }: Pick<InventoryRule, 'scope'>): string {
  const names = [...(scope?.user_groups ?? []), ...(scope?.devices ?? [])];
  return names.length === 0 ? t`all` : names.join(', ');
}
