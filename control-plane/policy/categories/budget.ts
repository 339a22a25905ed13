import { z } from 'zod';
import type { Phase } from '#contract/policy-words.ts';
import { category, type Evaluation, type Situation, type Usage } from '../category.ts';
import { closestTo } from '../lib/model-name.ts';
import { usd } from '../lib/money.ts';
import { exceeds, percentUsed, type Spending } from '../lib/spending.ts';

const tokens = z.int().min(1).max(1e12).nullish();
const cost = z.number().min(0.000_001).max(1e9).nullish();
const daily = { daily_token_limit: tokens, daily_cost_limit: cost };

const rules = z.strictObject({
  ...daily,
  per_workflow_token_limit: tokens,
  per_workflow_cost_limit: cost,
  warning_threshold_percent: z.int().min(1).max(100).default(80),
  action_on_exceed: z.enum(['block', 'warn', 'throttle']).default('block'),
  model_limits: z.record(z.string().min(1).max(200), z.strictObject(daily)).default({}),
});
type Rules = z.output<typeof rules>;

interface Limit extends Spending {
  rule: `${'daily' | 'per_workflow'}_${'token' | 'cost'}_limit`;
  /** Set for a limit from `model_limits`. */
  model?: string;
}
type MaybeLimit = Omit<Limit, 'max'> & { max: number | null | undefined };

/** Limits model spending: per day, per model and day, and per run. */
export const budget = category({
  name: 'budget',
  aliases: ['cost'],
  summary: 'Limits tokens and cost per day, per model and per run',
  rules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  reads: ['today'],
  evaluate({ rules, situation, facts }) {
    const { phase } = situation;
    const hasEnded = phase === 'after_workflow' || phase === 'on_failure';
    const limits = [
      ...(hasEnded ? [] : ofDay(rules, situation, facts.today)),
      ...ofRun(rules, situation),
    ].filter((limit): limit is Limit => typeof limit.max === 'number');
    const exceeded = limits.find((limit) => exceeds(limit, phase));
    if (!exceeded) return limits.length > 0 ? roomLeft(limits, rules, phase) : null;
    return {
      // A run that has ended cannot be blocked any more.
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

function ofDay(rules: Rules, situation: Situation, today: Usage): MaybeLimit[] {
  const { daily_token_limit, daily_cost_limit } = rules;
  return [
    { rule: 'daily_token_limit', used: today.tokens, max: daily_token_limit },
    {
      rule: 'daily_cost_limit',
      used: today.cost,
      expected: expectedCost(situation),
      max: daily_cost_limit,
    },
    ...ofModels(rules, situation, today),
  ];
}

/** The limits of the models about to be called, or just called; of all models if none is named. */
function ofModels(rules: Rules, situation: Situation, today: Usage): MaybeLimit[] {
  const limited = Object.keys(rules.model_limits);
  const { phase, intent, calls } = situation;
  const named = phase === 'before_workflow' ? intent.models : calls.map(({ model }) => model);
  const matched = new Set(named.map((model) => closestTo(model, limited)));
  return Object.entries(rules.model_limits)
    .filter(([model]) => named.length === 0 || matched.has(model))
    .flatMap(([model, { daily_token_limit, daily_cost_limit }]) => {
      const usages = Object.entries(today.models)
        .filter(([name]) => closestTo(name, limited) === model)
        .map(([, usage]) => usage);
      const sum = (of: 'tokens' | 'cost') => usages.reduce((total, usage) => total + usage[of], 0);
      return [
        { rule: 'daily_token_limit', model, used: sum('tokens'), max: daily_token_limit },
        { rule: 'daily_cost_limit', model, used: sum('cost'), max: daily_cost_limit },
      ];
    });
}

/** Before a run, only its expected cost can be compared with its own limit. */
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

function nameOf(limit: Limit): string {
  const whose = limit.model === undefined ? '' : ` of ${limit.model}`;
  return `${isOfRun(limit) ? 'Workflow' : 'Daily'} ${unitOf(limit)} limit${whose}`;
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
