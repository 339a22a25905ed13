import type { ComparedResult, Variant } from '#contract/playground.ts';
import type { Context } from '../../context.ts';
import type { Call } from '../../http/handler.ts';
import { compileVariant } from './compile.ts';
import { type Requester, runModel, millisecondsSince } from './run.ts';

/** Runs one variant. An error becomes part of its result, so that the other results are kept. */
export async function compareVariant(
  context: Context,
  variant: Variant,
  requester: Requester,
  refusalOf: Call<never>['refusalOf'],
): Promise<ComparedResult> {
  const { config } = variant;
  const startedAt = context.now();
  let missing_variables: string[] = [];
  try {
    const prompt = compileVariant(variant);
    ({ missing_variables } = prompt);
    return { ...(await runModel(context, { ...prompt, config }, requester)), error: null };
  } catch (error) {
    return {
      ...NOTHING,
      model: config.model,
      latency_ms: millisecondsSince(startedAt, context),
      missing_variables,
      ignored_settings: [],
      error: refusalOf(error).message,
    };
  }
}

const NOTHING = { output: '', tokens_in: 0, tokens_out: 0, cost: 0 };
