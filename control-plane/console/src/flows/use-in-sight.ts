import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

export interface InSight {
  /** Give this to the element. */
  watch: RefCallback<HTMLElement>;
  /** Is it within the window, or below? Taken to be so until the browser says otherwise. */
  inSight: boolean;
}

/** Whether the reader has scrolled past an element. */
export function useInSight(): InSight {
  const [inSight, setInSight] = useState(true);
  const watch = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last) setInSight(last.isIntersecting || last.boundingClientRect.top > 0);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { watch, inSight };
}
