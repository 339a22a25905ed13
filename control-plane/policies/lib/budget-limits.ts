import type { Usage } from '../category.ts';
import { memoize } from '../../lib/memoize.ts';
import { longestMatch } from './model-name.ts';
import { usagePeriods, type UsagePeriod } from '#contract/usage-period.ts';

const adverbs = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
export type PeriodRule = `${(typeof adverbs)[UsagePeriod]}_${'token' | 'cost'}_limit`;

type Limits = Partial<Record<PeriodRule, number | null | undefined>>;

export interface BudgetRules extends Limits {
  timezone?: string | undefined;
  action_on_exceed?: 'block' | 'warn' | 'throttle' | undefined;
  model_limits?: Readonly<Record<string, Limits>> | undefined;
}

/** A limit on the usage in a period, of all models together or of one model. */
export interface BudgetLimit {
  rule: PeriodRule;
  period: UsagePeriod;
  unit: 'token' | 'cost';
  /** The model as named in the rules: `gpt-4o` also matches `gpt-4o-2024-08-06`. */
  model?: string;
  max: number;
}

/** Returns the limits by period that the rules set, days first. */
export const budgetLimits = memoize(limitsByPeriod);

function limitsByPeriod(rules: BudgetRules): readonly BudgetLimit[] {
  const of = (limits: Limits, model?: string): BudgetLimit[] =>
    usagePeriods.flatMap((period) =>
      (['token', 'cost'] as const).flatMap((unit) => {
        const rule = `${adverbs[period]}_${unit}_limit` as const;
        const max = limits[rule];
        if (typeof max !== 'number') return [];
        return [{ rule, period, unit, ...(model !== undefined && { model }), max }];
      }),
    );
  return [
    ...of(rules),
    ...Object.entries(rules.model_limits ?? {}).flatMap(([model, limits]) => of(limits, model)),
  ];
}

/**
 * Returns the usage that counts towards the limit. The usage of a model counts towards the limit
 * with the longest matching name.
 */
export function countedUsage(
  { unit, model }: BudgetLimit,
  rules: BudgetRules,
  usage: Usage,
): number {
  const of = unit === 'token' ? 'tokens' : 'cost';
  if (model === undefined) return usage[of];
  const limited = Object.keys(rules.model_limits ?? {});
  return Object.entries(usage.models)
    .filter(([name]) => longestMatch(name, limited) === model)
    .reduce((total, [, one]) => total + one[of], 0);
}

/** Returns the name of a limit, for example `Daily cost limit of gpt-4o`. */
export function nameOfLimit({ rule, model }: Pick<BudgetLimit, 'rule' | 'model'>): string {
  const words = rule.replaceAll('_', ' ');
  const whose = model === undefined ? '' : ` of ${model}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${whose}`;
}
