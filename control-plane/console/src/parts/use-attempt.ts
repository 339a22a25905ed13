import { useState } from 'react';
import { describeError } from '../data/describe-error.ts';

interface Attempt {
  /** Why the last one failed. */
  error: string | undefined;
  busy: boolean;
  /** Runs it; a refusal becomes the error. Whether it went well. */
  attempt: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** Something that is asked of the service and may be refused, one at a time. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
      return true;
    } catch (refusal) {
      setError(describeError(refusal));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, attempt };
}
