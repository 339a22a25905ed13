import { useEffect, useEffectEvent, useState } from 'react';

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Applies the text immediately instead of after the delay. */
  commit: () => void;
}

const DELAY_MS = 350;

/**
 * Debounces text input: `onChange` is called once typing pauses, because each call may cause a
 * request.
 */
export function useDraft(value: string, onChange: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string>();
  const apply = (text: string | undefined) => {
    setDraft(undefined);
    if (text !== undefined) onChange(text);
  };
  const onPause = useEffectEvent(apply);
  useEffect(() => {
    if (draft === undefined) return undefined;
    const timer = setTimeout(() => onPause(draft), DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return { text: draft ?? value, type: setDraft, commit: () => apply(draft) };
}
