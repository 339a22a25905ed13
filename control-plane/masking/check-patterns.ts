import { ApiError } from '#contract/errors.ts';
import type { Masking } from '#contract/settings.ts';
import { compilePattern, LARGEST_TOGETHER } from '#agent/core/redaction/patterns/pattern.ts';

/** Refuses patterns that are no regular expressions, or would be a burden, and says which. */
export function checkPatterns({ patterns }: Masking): void {
  let size = 0;
  for (const [index, { name, pattern }] of patterns.entries()) {
    const compiled = compilePattern(name, pattern);
    if ('refusal' in compiled)
      throw new ApiError(
        'validation_error',
        `masking.patterns[${index}].pattern: ${name} ${compiled.refusal}`,
      );
    size += compiled.matcher.programSize();
  }
  if (size > LARGEST_TOGETHER)
    throw new ApiError(
      'validation_error',
      `masking.patterns: together too complex: ${size} steps, at most ${LARGEST_TOGETHER}`,
    );
}
