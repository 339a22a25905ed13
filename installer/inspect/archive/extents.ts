/** A stretch of the heap and what it is for. */
export interface Extent {
  what: string;
  offset: number;
  length: number;
}

export interface HeapLayout {
  problems: string[];
  /** Stretches between what is referred to. */
  gaps: { offset: number; length: number }[];
  /** Where the last stretch that is referred to ends. */
  end: number;
}

/** Looks for stretches that overlap or leave the heap, and for bytes that nothing refers to. */
export function layOutHeap(extents: readonly Extent[], heapLength: number): HeapLayout {
  const problems: string[] = [];
  const gaps: HeapLayout['gaps'] = [];
  const sorted = extents.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset);
  let end = 0;
  let before = '';
  for (const { what, offset, length } of sorted) {
    if (offset < end) problems.push(`${what} overlaps ${before} at byte ${offset} of the heap`);
    if (offset > end) gaps.push({ offset: end, length: offset - end });
    if (offset + length <= end) continue;
    end = offset + length;
    before = what;
    if (end > heapLength)
      problems.push(`${what} ends at byte ${end} of the heap, which has ${heapLength}: truncated`);
  }
  return { problems, gaps, end };
}
