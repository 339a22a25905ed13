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
  /** Asks the service; what it refuses is shown at the fields it names. */
  ask: <T>(action: () => Promise<T>) => Promise<T | undefined>;
  forget: () => void;
}

export function usePolicyForm(category: PolicyCategory | undefined): PolicyForm {
  const [errors, setErrors] = useState(noErrors);
  const [busy, setBusy] = useState(false);
  const ask = async <T>(action: () => Promise<T>) => {
    setBusy(true);
    try {
      const answer = await action();
      setErrors(noErrors);
      return answer;
    } catch (refusal) {
      setErrors(errorsOf(refusal, category));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { errors, busy, ask, forget: () => setErrors(noErrors) };
}

function errorsOf(refusal: unknown, category: PolicyCategory | undefined): FieldErrors {
  const line = describeError(refusal);
  if (!(refusal instanceof ResponseError) || refusal.code !== 'validation_error')
    return { byPlace: {}, other: line };
  const errors = readFieldErrors(refusal.message, (place) => hasField(category, place));
  const isWhole = Object.keys(errors.byPlace).length === 0;
  return isWhole ? { byPlace: {}, other: line } : errors;
}
