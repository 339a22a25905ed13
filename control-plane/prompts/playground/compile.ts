import { ApiError } from '#contract/errors.ts';
import { LONGEST_PROMPT, type Variant } from '#contract/playground.ts';
import { type CompiledPrompt, compiledLength, compilePrompt } from '#contract/prompt-template.ts';

/**
 * The prompt as the model is told it. One that would become too long is refused before any of it is
 * put together.
 *
 * @throws ApiError `validation_error`
 */
export function compileVariant({ content, variables }: Variant): CompiledPrompt {
  const length = compiledLength(content, variables);
  if (length > LONGEST_PROMPT)
    throw new ApiError(
      'validation_error',
      `content: with its variables it would be ${length} characters long: at most ${LONGEST_PROMPT}`,
    );
  return compilePrompt(content, variables);
}
