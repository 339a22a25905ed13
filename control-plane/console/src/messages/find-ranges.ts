/** Maximum number of matches. Each is a range that the browser keeps up to date. */
export const MAX_MATCHES = 2000;

const BLOCK = 'p, div, li, pre, td, th, [role=treeitem]';

interface Place {
  node: Text;
  /** Offset of the node in the whole text. */
  start: number;
}

/**
 * Finds all matches in the document, in order. Searches only content (`[data-content]`), not the
 * controls around it. A match may span several elements of one block.
 */
export function findRanges(container: Element, matcher: RegExp): Range[] {
  const { text, places } = contentOf(container);
  const ranges: Range[] = [];
  let at = 0;
  matcher.lastIndex = 0;
  for (const match of text.matchAll(matcher)) {
    if (ranges.length === MAX_MATCHES) break;
    const end = match.index + match[0].length;
    at = indexAt(places, match.index, at);
    const last = indexAt(places, end - 1, at);
    ranges.push(rangeOf(places[at], match.index, places[last], end));
  }
  return ranges;
}

/** The content as one text with a line break between blocks, so that no match spans two blocks. */
function contentOf(container: Element): { text: string; places: Place[] } {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('button, [data-content]')?.hasAttribute('data-content')
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  );
  const texts: string[] = [];
  const places: Place[] = [];
  let length = 0;
  let last: Element | null | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement?.closest(BLOCK);
    if (last !== undefined && parent !== last) {
      texts.push('\n');
      length += 1;
    }
    last = parent;
    places.push({ node, start: length });
    texts.push(node.data);
    length += node.data.length;
  }
  return { text: texts.join(''), places };
}

/** The index of the node that contains a position. The search starts at an earlier index. */
function indexAt(places: readonly Place[], position: number, from: number): number {
  let at = from;
  while ((places[at + 1]?.start ?? Infinity) <= position) at += 1;
  return at;
}

function rangeOf(first: Place | undefined, start: number, last: Place | undefined, end: number) {
  const range = new Range();
  if (!first || !last) return range;
  range.setStart(first.node, Math.min(start - first.start, first.node.length));
  range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range;
}
