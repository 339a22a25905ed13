import type { ItemInput } from '#contract/datasets.ts';
import { ApiError } from '#contract/errors.ts';
import type { Evaluator } from '#contract/evaluators.ts';
import type { PlaygroundResult, Variant } from '#contract/playground.ts';
import type { PromptContent } from '#contract/prompt-content.ts';
import type { CompiledPrompt } from '#contract/prompt-template.ts';
import type { Context } from '../context.ts';
import { truncateText } from '../datasets/rules.ts';
import { storable } from '../otel/attributes.ts';
import { compileVariant } from '../playground/compare.ts';
import { type Requester, runModel } from '../playground/run.ts';
import { evaluateAll, type ItemToRun } from './evaluate.ts';
import { prepareInput } from './input-rules.ts';
import { errorText } from './item-errors.ts';
import type { StoredOutcome, StoredScore } from './run-queries.ts';

/** The prompt, settings and evaluators that an experiment applies to its items. */
export interface Plan {
  content: PromptContent | null;
  config: Variant['config'];
  evaluators: readonly Evaluator[];
}

export interface ItemResult {
  outcome: StoredOutcome;
  scores: StoredScore[];
}

/** Runs one item; returns the output of the model with its scores. An error is also a result. */
export async function runItem(
  context: Context,
  plan: Plan,
  item: ItemToRun,
  requester: Requester,
): Promise<ItemResult> {
  try {
    const prompt = promptFor(plan, item.input);
    const result = await runModel(context, { ...prompt, config: plan.config }, requester);
    const output = storable(result.output);
    const evaluated = await evaluateAll(context, plan.evaluators, { ...item, output }, requester);
    const evaluation_cost = evaluated.reduce((sum, { cost }) => sum + cost, 0);
    return {
      outcome: { ...completed(context, { ...result, output }), evaluation_cost },
      scores: evaluated.map(({ score }) => score),
    };
  } catch (error) {
    return failedItem(context, errorText(context, error));
  }
}

/**
 * Returns the prompt for an input.
 *
 * @throws ApiError `validation_error` if no prompt can be built for it
 */
function promptFor({ content, config }: Plan, input: ItemInput): CompiledPrompt {
  const prepared = prepareInput(content, input);
  switch (prepared.kind) {
    case 'impossible':
      throw new ApiError('validation_error', prepared.error);
    case 'variables':
      return compileVariant({ ...prepared, config });
    case 'messages': {
      const { content: messages, missing_variables } = prepared.prompt;
      return { ...compileVariant({ content: messages, variables: {}, config }), missing_variables };
    }
  }
}

const completed = (context: Context, result: PlaygroundResult): StoredOutcome => ({
  ...NOTHING,
  status: 'completed',
  latency_ms: result.latency_ms,
  tokens_in: result.tokens_in,
  tokens_out: result.tokens_out,
  cost: result.cost,
  completed_at: context.now(),
  output: result.output,
  output_preview: truncateText(result.output),
  missing_variables: JSON.stringify(result.missing_variables),
  ignored_settings: JSON.stringify(result.ignored_settings),
  tool_calls: JSON.stringify(result.tool_calls),
});

export const failedItem = (context: Context, error: string): ItemResult => ({
  outcome: { ...NOTHING, status: 'failed', error, completed_at: context.now() },
  scores: [],
});

/**
 * Returns a result without its output, of which only the cost remains. It is stored if the database
 * refuses the full result.
 */
export const withoutOutput = ({ outcome }: ItemResult, error: string): ItemResult => {
  const { tokens_in, tokens_out, cost, evaluation_cost, completed_at } = outcome;
  const spent = { tokens_in, tokens_out, cost, evaluation_cost, completed_at };
  return { outcome: { ...NOTHING, ...spent, status: 'failed', error }, scores: [] };
};

const NOTHING: StoredOutcome = {
  status: 'failed',
  latency_ms: null,
  tokens_in: 0,
  tokens_out: 0,
  cost: 0,
  evaluation_cost: 0,
  completed_at: null,
  error: null,
  output: '',
  output_preview: '',
  missing_variables: '[]',
  ignored_settings: '[]',
  tool_calls: '[]',
};
