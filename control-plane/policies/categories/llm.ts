import { z } from 'zod';
import { category, type Evaluation, type Situation } from '../category.ts';
import { isModel } from '../lib/model-name.ts';

const models = z.array(z.string().min(1).max(200)).max(1000).default([]);
const temperature = z.number().min(0).max(2);

const rules = z.strictObject({
  allowed_models: models,
  blocked_models: models,
  /** Applies to the sum of all calls of a run. The name stays because clients already use it. */
  max_tokens_per_call: z.int().min(1).max(1e12).nullish(),
  temperature_range: z
    .strictObject({ min: temperature, max: temperature })
    .refine(({ min, max }) => min <= max, { path: ['min'], error: 'expected at most `max`' })
    .nullish(),
  action_on_token_violation: z.enum(['warn', 'block']).default('warn'),
  require_system_prompt: z.boolean().default(false),
});
type Rules = z.output<typeof rules>;

/** Restricts which models may be called, and how many tokens a run may use. */
export const llm = category({
  name: 'llm',
  summary: 'Allows and blocks models, and limits the tokens of a run',
  rules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  appliesToHeldCalls: true,
  evaluate({ rules, situation }) {
    const { phase, calls, intent } = situation;
    if (phase === 'before_workflow')
      return refusalOf(intent.models, rules) ?? { ...allowed, metadata: advice(rules) };
    if (phase === 'mid_execution') {
      const models = calls.map(({ model }) => model);
      const excess = excessOf(situation, rules, rules.action_on_token_violation);
      return refusalOf(models, rules) ?? excess ?? (calls.length > 0 ? allowed : null);
    }
    // A run that has ended can no longer be blocked.
    return excessOf(situation, rules, 'warn');
  },
});

const allowed = { action: 'allow', reason: 'Models within policy' } as const;

/**
 * Returns a refusal if a model is not allowed. `blocked_models` takes precedence over
 * `allowed_models`.
 */
function refusalOf(models: readonly string[], rules: Rules): Evaluation<never> | undefined {
  const { allowed_models, blocked_models } = rules;
  const isIn = (list: readonly string[], model: string) =>
    list.some((name) => isModel(name, model));
  const blocked = models.find((model) => isIn(blocked_models, model));
  if (blocked !== undefined)
    return {
      action: 'block',
      reason: `Model '${blocked}' is blocked`,
      metadata: { rule: 'blocked_models', model: blocked },
    };
  const unknown = allowed_models.length > 0 && models.find((model) => !isIn(allowed_models, model));
  if (typeof unknown !== 'string') return undefined;
  return {
    action: 'block',
    reason: `Model '${unknown}' is not allowed`,
    metadata: { rule: 'allowed_models', model: unknown, allowed_models },
  };
}

function excessOf(
  { run }: Situation,
  { max_tokens_per_call: limit }: Rules,
  action: 'warn' | 'block',
): Evaluation<never> | null {
  if (!run || typeof limit !== 'number' || run.tokens <= limit) return null;
  const reason = `Run exceeded token limit (${run.tokens}/${limit})`;
  return { action, reason, metadata: { rule: 'max_tokens_per_call', current: run.tokens, limit } };
}

/** Returns the rules that only the agent itself can follow. */
const advice = ({ temperature_range, require_system_prompt }: Rules) => ({
  ...(temperature_range && { temperature_range }),
  ...(require_system_prompt && { require_system_prompt }),
});
