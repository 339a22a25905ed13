import { useEffect, useEffectEvent, useState } from 'react';

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Now rather than after the pause. */
  settle: () => void;
}

const PAUSE_MS = 350;

/** What is being typed, handed on once typing pauses: each change may be a dear question. */
export function useDraft(value: string, onChange: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string>();
  const handOn = (text: string | undefined) => {
    setDraft(undefined);
    if (text !== undefined) onChange(text);
  };
  const onPause = useEffectEvent(handOn);
  useEffect(() => {
    if (draft === undefined) return undefined;
    const timer = setTimeout(() => onPause(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return { text: draft ?? value, type: setDraft, settle: () => handOn(draft) };
}
