import { ApiError } from '#contract/errors.ts';
import type { Masking } from '#contract/settings.ts';
import { compilePattern, LARGEST_TOGETHER } from '#agent/core/redaction/patterns/pattern.ts';

/** @throws ApiError naming the pattern that is invalid or too complex */
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
      `masking.patterns: all patterns together are too complex: ${size} steps, at most ${LARGEST_TOGETHER}`,
    );
}
