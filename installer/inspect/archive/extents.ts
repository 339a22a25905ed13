/** A range of the heap and its purpose. */
export interface Extent {
  purpose: string;
  offset: number;
  length: number;
}

export interface HeapLayout {
  problems: string[];
  /** Ranges that no entry refers to. */
  gaps: { offset: number; length: number }[];
  /** End of the last referenced range. */
  end: number;
}

/** Finds extents that overlap or leave the heap, and bytes that no entry refers to. */
export function layOutHeap(extents: readonly Extent[], heapLength: number): HeapLayout {
  const problems: string[] = [];
  const gaps: HeapLayout['gaps'] = [];
  const sorted = extents.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset);
  let end = 0;
  let before = '';
  for (const { purpose, offset, length } of sorted) {
    if (offset < end) problems.push(`${purpose} overlaps ${before} at byte ${offset} of the heap`);
    if (offset > end) gaps.push({ offset: end, length: offset - end });
    if (offset + length <= end) continue;
    end = offset + length;
    before = purpose;
    if (end > heapLength)
      problems.push(
        `${purpose} ends at byte ${end} of the heap, which has ${heapLength}: truncated`,
      );
  }
  return { problems, gaps, end };
}
