import { collectErrors } from '../collect-errors.ts';
import { checkContent, type HeapReader } from './content.ts';
import type { ArchiveEntry } from './entries.ts';
import type { ArchiveHeader } from './header.ts';
import type { Toc } from './toc.ts';

/** A range of the heap with its purpose. */
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
export function findLayoutProblems(extents: readonly Extent[], heapLength: number): HeapLayout {
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

export interface Archive {
  header: ArchiveHeader;
  toc: Toc;
  /**
   * The digest of the table of contents as stored, computed independently of the checksum in the
   * heap.
   */
  checksum: Buffer;
}

/** Compares the table of contents with the checksum at the start of the heap. */
export async function checkTocChecksum(
  heap: HeapReader,
  { header, toc, checksum }: Archive,
  problems: string[],
): Promise<void> {
  const { digest, offset, size } = toc.checksum;
  const subject = 'table of contents';
  if (digest !== header.digest)
    problems.push(
      `${subject}: its checksum algorithm is ${digest}, but the header states ${header.digest}`,
    );
  if (offset !== 0) problems.push(`${subject}: its checksum is at ${offset}, expected 0`);
  const stored = await collectErrors(problems, subject, () =>
    heap.file.read(heap.heapStart + offset, size),
  );
  if (stored && !stored.equals(checksum))
    problems.push(
      `${subject}: ${digest} ${checksum.toString('hex')} differs from ` +
        `the stored ${stored.toString('hex')}`,
    );
}

export interface LayoutReport {
  /**
   * Whether all extents are disjoint and inside the file, which bounds the cost of reading them.
   */
  isSound: boolean;
  problems: string[];
  unreferenced: string[];
}

/**
 * Checks that the extents fit into the heap. `heapLength` is the number of bytes from the start of
 * the heap to the end of the file, or to its ticket.
 */
export function checkLayout(toc: Toc, heapLength: number): LayoutReport {
  const { problems, gaps, end } = findLayoutProblems(listExtents(toc), heapLength);
  const trailing = heapLength - end;
  const tail = `${trailing} bytes follow the end of the archive and are not a ticket`;
  return {
    isSound: problems.length === 0,
    problems: [...problems, ...(trailing > 0 ? [tail] : [])].map((problem) => `heap: ${problem}`),
    unreferenced: gaps.map(
      ({ offset, length }) => `heap: ${length} unreferenced bytes at offset ${offset}`,
    ),
  };
}

/** Compares every file with its stated checksums. */
export async function checkContents(
  heap: HeapReader,
  entries: readonly ArchiveEntry[],
  problems: string[],
): Promise<void> {
  for (const { path, data } of entries)
    if (data) await collectErrors(problems, path, () => checkContent(heap, data));
}

const listExtents = ({ checksum, slots, entries }: Toc): Extent[] => [
  { purpose: 'the checksum', offset: checksum.offset, length: checksum.size },
  ...slots.map(({ style, offset, size }) => ({
    purpose: `the ${style} signature`,
    offset,
    length: size,
  })),
  ...entries.flatMap(({ path, data, attributes }) => [
    ...(data ? [{ purpose: path, offset: data.offset, length: data.length }] : []),
    ...attributes.map((extent) => ({ purpose: `an attribute of ${path}`, ...extent })),
  ]),
];
