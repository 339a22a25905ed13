import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

export interface InSight {
  /** Ref for the element. */
  watch: RefCallback<HTMLElement>;
  /** Whether the element is inside the viewport or below it. True until the browser reports it. */
  inSight: boolean;
}

/** Whether the user has scrolled past an element. */
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
