import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

interface OnceVisible {
  /** Ref for the element. */
  watch: RefCallback<HTMLElement>;
  /** Whether the element has ever been within 400 px of the viewport. */
  wasVisible: boolean;
}

/** Detects when an element first scrolls into view, for content that is loaded on demand. */
export function useOnceVisible(): OnceVisible {
  const [wasVisible, setWasVisible] = useState(false);
  const watch = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setWasVisible(true);
        observer.disconnect();
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { watch, wasVisible };
}
