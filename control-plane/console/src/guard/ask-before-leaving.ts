import { useEffect } from 'react';

const question = 'Changes on this page are not saved. Leave without them?';

interface Leaving {
  window: EventTarget;
  /** Absent in browsers before 2026. */
  navigation: EventTarget | undefined;
  location: Pick<Location, 'pathname'>;
  confirm: (question: string) => boolean;
}

/** Asks before another page of the console or of the web takes this one's place; call to stop. */
export function askBeforeLeaving({ window, navigation, location, confirm }: Leaving): () => void {
  const asking = new AbortController();
  const { signal } = asking;
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  const ask = (event: Event) => {
    const { destination, cancelable } = event as NavigateEvent;
    // Filters change the address and leave nothing; for other documents there is beforeunload.
    const leaves = new URL(destination.url).pathname !== location.pathname;
    if (!cancelable || !destination.sameDocument || !leaves) return;
    if (!confirm(question)) event.preventDefault();
  };
  navigation?.addEventListener('navigate', ask, { signal });
  return () => asking.abort();
}

export function useAskBeforeLeaving(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const { navigation, location } = window;
    return askBeforeLeaving({ window, navigation, location, confirm: (text) => confirm(text) });
  }, [unsaved]);
}
