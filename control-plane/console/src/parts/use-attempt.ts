import { useState } from 'react';
import { describeError } from '../data/describe-error.ts';

interface Attempt {
  /** Error of the latest attempt. */
  error: string | undefined;
  busy: boolean;
  /** Runs the action. Resolves to false if it fails; never rejects. */
  attempt: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** The state of a request that makes a change: idle, in progress, or failed with an error. */
export function useAttempt(): Attempt {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
      return true;
    } catch (caught) {
      setError(describeError(caught));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, attempt };
}
