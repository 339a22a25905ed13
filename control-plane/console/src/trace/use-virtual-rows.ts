import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

export const ROW_HEIGHT = 28;

/** Rows are added and removed in chunks of this size, so that few scroll events cause a render. */
const CHUNK = 8;

interface Windowed {
  first: number;
  /** Index after the last row. */
  end: number;
}

/** The visible rows of a scroller with this height, with one additional chunk on each side. */
export function windowOf(scrollTop: number, height: number, count: number): Windowed {
  const chunk = CHUNK * ROW_HEIGHT;
  const first = Math.max(0, Math.floor(scrollTop / chunk) - 1) * CHUNK;
  const end = (Math.ceil((scrollTop + height) / chunk) + 1) * CHUNK;
  return { first: Math.min(first, count), end: Math.min(end, count) };
}

interface VirtualRows extends Windowed {
  ref: RefObject<HTMLDivElement | null>;
  /** Scrolls a row into view. */
  reveal: (index: number) => void;
}

/** The rows to render in a scroller with rows of equal height and a header of one row. */
export function useVirtualRows(count: number): VirtualRows {
  const ref = useRef<HTMLDivElement>(null);
  const [{ first, end }, setWindowed] = useState<Windowed>({ first: 0, end: 5 * CHUNK });
  useLayoutEffect(() => {
    const scroller = ref.current;
    if (!scroller) return undefined;
    const update = () => {
      const next = windowOf(scroller.scrollTop, scroller.clientHeight, count);
      setWindowed((last) => (last.first === next.first && last.end === next.end ? last : next));
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(scroller);
    scroller.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', update);
    };
  }, [count]);
  const reveal = (index: number) => {
    const scroller = ref.current;
    if (!scroller) return;
    const top = index * ROW_HEIGHT;
    const room = scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room;
  };
  return { ref, first: Math.min(first, count), end: Math.min(end, count), reveal };
}
