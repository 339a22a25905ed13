/** The action that a key press triggers. */
export type Shortcut = 'palette' | 'search' | 'keys' | 'go';

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const plain: Record<string, Shortcut> = { '/': 'search', '?': 'keys', g: 'go' };

/**
 * The action of a key press; undefined if there is none. If `typing` is true, a field has the focus
 * and keys are text.
 */
export function shortcutOf(press: Press, typing: boolean): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette';
  if (typing || ctrlKey || metaKey || altKey) return undefined;
  return plain[key];
}

/** Whether key presses belong to the focused element: a field, or any element in an open dialog. */
export const isTyping = (element: Element | null): boolean =>
  element?.closest('input:not([type=radio], [type=checkbox]), textarea, select, dialog') !== null &&
  element !== null;
