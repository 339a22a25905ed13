import { ApiError } from '#contract/errors.ts';
import { LONGEST_PROMPT, type Variant } from '#contract/playground.ts';
import { type CompiledPrompt, compiledLength, compilePrompt } from '#contract/prompt-template.ts';

/**
 * The prompt with its variables filled in. One that would become too long is rejected before it is
 * built.
 *
 * @throws ApiError `validation_error`
 */
export function compileVariant({ content, variables }: Variant): CompiledPrompt {
  const length = compiledLength(content, variables);
  if (length > LONGEST_PROMPT)
    throw new ApiError(
      'validation_error',
      `content: ${length} characters with its variables filled in, at most ${LONGEST_PROMPT} allowed`,
    );
  return compilePrompt(content, variables);
}
