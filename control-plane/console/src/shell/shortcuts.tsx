import { useEffect, useEffectEvent, useRef, useState, lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { User } from '../data/session.ts';
import { isTyping, shortcutOf } from './shortcut-keys.ts';
import { pagesFor } from './sidebar-pages.tsx';

/** A dialog that is shown over the page. */
export type Layer = 'palette' | 'keys';

/** Maximum time in milliseconds between the two keys of a shortcut such as `g r`. */
const SECOND_KEY_MS = 1500;

/** Handles the console's keyboard shortcuts, wherever the focus is. */
export function useShortcuts(user: User) {
  const [layer, setLayer] = useState<Layer>();
  const [, navigate] = useLocation();
  const goUntil = useRef(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const typing = isTyping(document.activeElement);
    const page = !typing && Date.now() < goUntil.current && pageOf(user, event);
    goUntil.current = 0;
    if (page) {
      event.preventDefault();
      return navigate(page.to);
    }
    const shortcut = shortcutOf(event, typing);
    if (shortcut === undefined) return;
    if (shortcut === 'go') goUntil.current = Date.now() + SECOND_KEY_MS;
    else if (shortcut === 'search') focusSearch(event);
    else {
      event.preventDefault();
      // An open dialog handles its own keys.
      if (document.querySelector('dialog[open]') === null) setLayer(shortcut);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return { layer, show: setLayer, hide: () => setLayer(undefined) };
}

const pageOf = (user: User, { key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey
    ? undefined
    : pagesFor(user)
        .flatMap(({ pages }) => pages)
        .find(({ letter }) => letter === key);

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('main [role=search] input');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

// Loaded when a shortcut opens them.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }));

interface ShortcutsProps {
  user: User;
  layer: Layer;
  onClose: () => void;
}

export const Shortcuts = ({ user, layer, onClose }: ShortcutsProps) => (
  <Suspense fallback={null}>
    {layer === 'palette' ? (
      <Palette user={user} onClose={onClose} />
    ) : (
      <KeyList user={user} onClose={onClose} />
    )}
  </Suspense>
);
