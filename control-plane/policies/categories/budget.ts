import { z } from 'zod';
import type { Phase } from '#contract/policy-actions.ts';
import { isTimeZone } from '../../lib/calendar.ts';
import { category, type Evaluation, type PolicyFacts, type Situation } from '../category.ts';
import { budgetLimits, nameOfLimit, type PeriodRule, countedUsage } from '../lib/budget-limits.ts';
import { longestMatch } from '../lib/model-name.ts';
import { usd, exceedsLimit, percentUsed, type Spending } from '../lib/spending.ts';

const tokens = z.int().min(1).max(1e12).nullish();
const cost = z.number().min(0.000_001).max(1e9).nullish();
const limits = {
  daily_token_limit: tokens,
  daily_cost_limit: cost,
  weekly_token_limit: tokens,
  weekly_cost_limit: cost,
  monthly_token_limit: tokens,
  monthly_cost_limit: cost,
};

const rules = z.strictObject({
  ...limits,
  timezone: z
    .string()
    .max(60)
    .refine(isTimeZone, 'expected an IANA time zone')
    .default('UTC')
    .meta({ description: 'days, weeks and months begin at its midnight, weeks on Monday' }),
  per_workflow_token_limit: tokens,
  per_workflow_cost_limit: cost,
  warning_threshold_percent: z.int().min(1).max(100).default(80),
  action_on_exceed: z.enum(['block', 'warn', 'throttle']).default('block'),
  model_limits: z.record(z.string().min(1).max(200), z.strictObject(limits)).default({}),
});
type Rules = z.output<typeof rules>;

interface Limit extends Spending {
  rule: PeriodRule | `per_workflow_${'token' | 'cost'}_limit`;
  /** Only set for a limit from `model_limits`. */
  model?: string;
}
type MaybeLimit = Omit<Limit, 'max'> & { max: number | null | undefined };

/**
 * Limits model spending: per day, week and month, for all models together and for one model, and
 * per run.
 */
export const budget = category({
  name: 'budget',
  aliases: ['cost'],
  summary: 'Limits tokens and cost per day, week and month, per model and per run',
  rules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  reads: ['today', 'week', 'month'],
  periodsOf: (rules) => ({
    zone: rules.timezone,
    periods: budgetLimits(rules).map(({ period }) => period),
  }),
  evaluate({ rules, situation, facts }) {
    const { phase } = situation;
    const hasEnded = phase === 'after_workflow' || phase === 'on_failure';
    const limits = [
      ...(hasEnded ? [] : ofPeriods(rules, situation, facts)),
      ...ofRun(rules, situation),
    ].filter((limit): limit is Limit => typeof limit.max === 'number');
    const exceeded = limits.find((limit) => exceedsLimit(limit, phase));
    if (!exceeded) return limits.length > 0 ? roomLeft(limits, rules, phase) : null;
    return {
      // A run that has ended can no longer be blocked.
      action: hasEnded ? 'warn' : rules.action_on_exceed,
      reason: excess(exceeded),
      metadata: figures(exceeded),
    };
  },
});

/** Reports the limit with the highest share used. */
function roomLeft(limits: readonly Limit[], rules: Rules, phase: Phase): Evaluation<never> {
  const fullest = limits.reduce((a, b) => (percentUsed(b) > percentUsed(a) ? b : a));
  const metadata = figures(fullest);
  const percent = percentUsed(fullest);
  if (phase !== 'before_workflow' || percent < rules.warning_threshold_percent)
    return { action: 'allow', reason: 'Within budget', metadata };
  const reason = `${nameOf(fullest)} ${percent}% used ${shares(fullest)}`;
  return { action: 'warn', reason, metadata };
}

function ofPeriods(rules: Rules, situation: Situation, facts: PolicyFacts): MaybeLimit[] {
  const usages = { day: facts.today, week: facts.week, month: facts.month };
  const isCalled = isOfCalled(rules, situation);
  return budgetLimits(rules)
    .filter(({ model }) => model === undefined || isCalled(model))
    .map((limit) => ({
      rule: limit.rule,
      ...(limit.model !== undefined && { model: limit.model }),
      used: countedUsage(limit, rules, usages[limit.period]),
      ...(limit.unit === 'cost' &&
        limit.model === undefined && { expected: expectedCost(situation) }),
      max: limit.max,
    }));
}

/**
 * Returns a predicate for the models that are about to be called or were just called. If none is
 * named, it holds for all models.
 */
function isOfCalled(rules: Rules, situation: Situation): (model: string) => boolean {
  const { phase, intent, calls } = situation;
  const limited = Object.keys(rules.model_limits);
  const named = phase === 'before_workflow' ? intent.models : calls.map(({ model }) => model);
  const matched = new Set(named.map((model) => longestMatch(model, limited)));
  return (model) => named.length === 0 || matched.has(model);
}

/**
 * Returns the limits of a run. Before the run, only its expected cost can be compared with them.
 */
function ofRun(rules: Rules, situation: Situation): MaybeLimit[] {
  const { per_workflow_token_limit, per_workflow_cost_limit } = rules;
  const { run } = situation;
  const expected = expectedCost(situation);
  const cost = { rule: 'per_workflow_cost_limit', max: per_workflow_cost_limit } as const;
  if (!run) return expected > 0 ? [{ ...cost, used: 0, expected }] : [];
  return [
    { rule: 'per_workflow_token_limit', used: run.tokens, max: per_workflow_token_limit },
    { ...cost, used: run.cost },
  ];
}

const expectedCost = ({ phase, intent }: Situation): number =>
  phase === 'before_workflow' ? (intent.estimatedCost ?? 0) : 0;

const unitOf = ({ rule }: Limit): 'token' | 'cost' =>
  rule.endsWith('token_limit') ? 'token' : 'cost';
const isOfRun = ({ rule }: Limit): boolean => rule.startsWith('per_workflow');

function nameOf({ rule, model }: Limit): string {
  if (rule === 'per_workflow_token_limit') return 'Workflow token limit';
  if (rule === 'per_workflow_cost_limit') return 'Workflow cost limit';
  return nameOfLimit({ rule, ...(model !== undefined && { model }) });
}

function shares(limit: Limit): string {
  const { used, expected = 0, max } = limit;
  const show = unitOf(limit) === 'token' ? String : usd;
  return `(${show(used)}${expected > 0 ? ` + ${show(expected)} expected` : ''}/${show(max)})`;
}

function excess(limit: Limit): string {
  if (limit.used < limit.max && limit.expected)
    return `${nameOf(limit)} would be exceeded ${shares(limit)}`;
  return isOfRun(limit)
    ? `Workflow exceeded ${unitOf(limit)} limit ${shares(limit)}`
    : `${nameOf(limit)} reached ${shares(limit)}`;
}

const figures = ({ rule, model, used, expected, max }: Limit) => ({
  rule,
  ...(model !== undefined && { model }),
  current: used,
  ...(expected && { expected }),
  limit: max,
});
