import { type ComparedResult, type Variant, MAX_PROMPT_LENGTH } from '#contract/playground.ts';
import type { Context } from '../context.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { type Requester, runModel, millisecondsSince } from './run.ts';
import { ApiError } from '#contract/errors.ts';
import { type CompiledPrompt, compiledLength, compilePrompt } from '#contract/prompt-template.ts';

/**
 * Returns the prompt with its variables filled in. A prompt that would become too long is rejected
 * before it is built.
 *
 * @throws ApiError `validation_error`
 */
export function compileVariant({ content, variables }: Variant): CompiledPrompt {
  const length = compiledLength(content, variables);
  if (length > MAX_PROMPT_LENGTH)
    throw new ApiError(
      'validation_error',
      `content: ${length} characters with its variables filled in, at most ${MAX_PROMPT_LENGTH} allowed`,
    );
  return compilePrompt(content, variables);
}

/** Runs one variant. An error becomes part of its result, so that the other results are kept. */
export async function compareVariant(
  context: Context,
  variant: Variant,
  requester: Requester,
  refusalOf: ApiRequest<never>['refusalOf'],
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

const NOTHING = { output: '', tool_calls: [], tokens_in: 0, tokens_out: 0, cost: 0 };
