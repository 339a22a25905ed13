import { useState } from 'react';
import { ResponseError } from '#contract/client.ts';
import { describeError } from '../data/describe-error.ts';
import type { PolicyCategory } from '../data/policy-sources.ts';
import { noErrors, readFieldErrors } from './field-errors.ts';
import type { FieldErrors } from './field-errors.ts';
import { hasField } from './policy-draft.ts';

interface PolicyForm {
  errors: FieldErrors;
  busy: boolean;
  /**
   * Sends a request. If it fails, shows validation errors at their fields and resolves to
   * undefined.
   */
  submit: <T>(action: () => Promise<T>) => Promise<T | undefined>;
  clearErrors: () => void;
}

export function usePolicyForm(category: PolicyCategory | undefined): PolicyForm {
  const [errors, setErrors] = useState(noErrors);
  const [busy, setBusy] = useState(false);
  const submit = async <T>(action: () => Promise<T>) => {
    setBusy(true);
    try {
      const response = await action();
      setErrors(noErrors);
      return response;
    } catch (error) {
      setErrors(errorsOf(error, category));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { errors, busy, submit, clearErrors: () => setErrors(noErrors) };
}

function errorsOf(cause: unknown, category: PolicyCategory | undefined): FieldErrors {
  const line = describeError(cause);
  if (!(cause instanceof ResponseError) || cause.code !== 'validation_error')
    return { byPath: {}, other: line };
  const errors = readFieldErrors(cause.message, (path) => hasField(category, path));
  const hasFieldErrors = Object.keys(errors.byPath).length > 0;
  return hasFieldErrors ? errors : { byPath: {}, other: line };
}
