import type { ComparedResult, Variant } from '#contract/playground.ts';
import type { Context } from '../../context.ts';
import type { Call } from '../../http/handler.ts';
import { compileVariant } from './compile.ts';
import { type Asker, askModel, millisecondsSince } from './run.ts';

/** Asks with one variant. Whatever goes wrong is told in its place: the others are not lost. */
export async function compareVariant(
  context: Context,
  variant: Variant,
  asker: Asker,
  refusalOf: Call<never>['refusalOf'],
): Promise<ComparedResult> {
  const { config } = variant;
  const startedAt = context.now();
  let missing_variables: string[] = [];
  try {
    const prompt = compileVariant(variant);
    ({ missing_variables } = prompt);
    return { ...(await askModel(context, { ...prompt, config }, asker)), error: null };
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
