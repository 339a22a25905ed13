import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

interface Seen {
  /** Give this to the element. */
  watch: RefCallback<HTMLElement>;
  /** Has it ever come near the window? */
  seen: boolean;
}

/** For what is read only once the reader gets there. */
export function useSeen(): Seen {
  const [seen, setSeen] = useState(false);
  const watch = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { watch, seen };
}
