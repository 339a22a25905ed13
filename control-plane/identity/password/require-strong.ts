import { ApiError } from '#contract/errors.ts';
import { weaknessOf } from './password-rules.ts';

/** @throws ApiError `validation_error` naming the field */
export function requireStrong(field: string, password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness) throw new ApiError('validation_error', `${field}: ${weakness}`);
}
