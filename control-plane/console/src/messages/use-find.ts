import { useEffect, useMemo, useState, type RefObject } from 'react';
import { findRanges } from './find-ranges.ts';
import { matcherOf } from './parse/text-search.ts';

/**
 * Whether the browser can highlight matches without changing the document. Older browsers only
 * scroll to the match.
 */
const isSupported = typeof Highlight === 'function' && 'highlights' in CSS;

function create(name: string, priority: number): Highlight | undefined {
  if (!isSupported) return undefined;
  const highlight = new Highlight();
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
  return highlight;
}

/**
 * The highlights of all searches on the page: all matches, and the current match of each search.
 */
const found = create('found', 0);
const current = create('found-current', 1);

/** Highlights matches. Returns a function that removes the highlights. */
export function highlightMatches(ranges: readonly Range[], at: number): () => void {
  const here = ranges[at];
  for (const range of ranges) found?.add(range);
  if (here) current?.add(here);
  return () => {
    for (const range of ranges) found?.delete(range);
    if (here) current?.delete(here);
  };
}

/** The search within the values of one viewer. */
export interface Find {
  isOpen: boolean;
  text: string;
  matcher: RegExp | undefined;
  count: number;
  /** Index of the current match. */
  current: number;
  open: () => void;
  close: () => void;
  type: (text: string) => void;
  go: (step: 1 | -1) => void;
}

/** @param opener the button that opens the search and gets the focus back */
export function useFind(
  container: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
): Find {
  const [text, setText] = useState<string | null>(null);
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [position, setPosition] = useState(0);
  const matcher = useMemo(() => matcherOf(text ?? ''), [text]);
  useEffect(() => watchRanges(container.current, matcher, setRanges), [container, matcher]);
  const current = Math.min(position, Math.max(0, ranges.length - 1));
  useEffect(() => highlightMatches(ranges, current), [ranges, current]);
  const show = (at: number) => {
    setPosition(at);
    const range = ranges[at];
    if (range) scrollTo(range);
  };
  return {
    isOpen: text !== null,
    text: text ?? '',
    matcher,
    count: ranges.length,
    current,
    open: () => setText(text ?? ''),
    close: () => {
      setText(null);
      // The field is removed, which would lose the focus.
      opener.current?.focus();
    },
    type: (text) => {
      setText(text);
      setPosition(0);
    },
    go: (step) => {
      if (ranges.length > 0) show((current + step + ranges.length) % ranges.length);
    },
  };
}

/** Repeats the search whenever the content changes: during a search, more of it is shown. */
function watchRanges(
  container: Element | null,
  matcher: RegExp | undefined,
  onFound: (ranges: readonly Range[]) => void,
): (() => void) | undefined {
  if (!container || !matcher) {
    onFound([]);
    return undefined;
  }
  let frame = 0;
  const search = () => {
    const ranges = findRanges(container, matcher);
    onFound(ranges);
    return ranges;
  };
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(search);
  });
  observer.observe(container, { childList: true, characterData: true, subtree: true });
  const [first] = search();
  if (first && !isInSight(first)) scrollTo(first);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function isInSight(range: Range): boolean {
  const { top, bottom } = range.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/**
 * Scrolls twice, because parts outside the viewport get their real height only when they are shown.
 */
function scrollTo(range: Range): void {
  const scroll = () => {
    const { top, bottom } = range.getBoundingClientRect();
    const middle = (top + bottom) / 2 - window.innerHeight / 2;
    window.scrollBy({ top: middle, behavior: 'instant' });
  };
  range.startContainer.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' });
  scroll();
  requestAnimationFrame(scroll);
}
