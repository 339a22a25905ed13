import { t } from '@lingui/core/macro';
import { useEffect } from 'react';

const QUESTION = t`This page has unsaved changes. Leave without saving?`;

interface Leaving {
  window: EventTarget;
  /** Undefined in browsers without the Navigation API (before 2026). */
  navigation: EventTarget | undefined;
  location: Pick<Location, 'pathname'>;
  confirm: (question: string) => boolean;
}

/**
 * Asks for confirmation before the user leaves the page, including for other sites. Returns a
 * function that stops this.
 */
export function askBeforeLeaving({ window, navigation, location, confirm }: Leaving): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  const onNavigate = (event: Event) => {
    const { destination, cancelable } = event as NavigateEvent;
    // A change of filters changes the URL but does not leave the page. Other documents cause
    // `beforeunload`.
    const leaves = new URL(destination.url).pathname !== location.pathname;
    if (!cancelable || !destination.sameDocument || !leaves) return;
    if (!confirm(QUESTION)) event.preventDefault();
  };
  navigation?.addEventListener('navigate', onNavigate, { signal });
  return () => controller.abort();
}

export function useAskBeforeLeaving(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const { navigation, location } = window;
    return askBeforeLeaving({ window, navigation, location, confirm: (text) => confirm(text) });
  }, [unsaved]);
}
