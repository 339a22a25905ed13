import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../shell/shortcut-keys.ts';

interface ListKeys {
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

const steps: Record<string, 1 | -1> = { j: 1, k: -1 };

/**
 * Keys of a list: `j` and `k` move between rows and Escape closes the panel, unless a field has the
 * focus.
 */
export function useListKeys({ onMove, onClose }: ListKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (isTyping(document.activeElement) || document.querySelector('dialog[open]')) return;
    const step = steps[key];
    if (step) onMove(step);
    else if (key === 'Escape') onClose();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/**
 * The key of the row some steps after or before a row, limited to the ends. Without a row, the
 * first one.
 */
export function adjacentKey(
  keys: readonly string[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : keys.indexOf(current);
  if (at === -1) return keys[0];
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))];
}
