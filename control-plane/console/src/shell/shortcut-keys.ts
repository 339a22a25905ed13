/** The console's action for a key press, if any. */
export type Shortcut = 'palette' | 'search' | 'keys' | 'go';

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const plain: Record<string, Shortcut> = { '/': 'search', '?': 'keys', g: 'go' };

/** `typing`: the focus is in a field, whose keys are text. */
export function shortcutOf(press: Press, typing: boolean): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette';
  if (typing || ctrlKey || metaKey || altKey) return undefined;
  return plain[key];
}

/** Fields take text; in an open dialog, keys belong to it. */
export const isTyping = (element: Element | null): boolean =>
  element?.closest('input:not([type=radio], [type=checkbox]), textarea, select, dialog') !== null &&
  element !== null;
