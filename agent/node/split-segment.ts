import { randomUUID } from 'node:crypto';
import { statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeIfExists, syncFolder } from './atomic-file.ts';
import { measure, readLines, type Segment, segmentName } from './segment-file.ts';

/**
 * Splits a segment into two that replace it, each a batch of its own. A segment and its parts are
 * never both sent: the parts are returned only after the whole is deleted for good, and parts found
 * beside their whole were left by a crash (`removeUnfinished`).
 *
 * @throws Error of the system if the parts cannot be written; the whole is then unchanged
 */
export function splitSegment(whole: Segment): Segment[] {
  const dir = dirname(whole.path);
  const lines = readLines(whole);
  const middle = Math.ceil(lines.length / 2);
  const parts: Segment[] = [];
  const { atime, mtime } = statSync(whole.path);
  try {
    for (const [i, half] of [lines.slice(0, middle), lines.slice(middle)].entries()) {
      const [sequence, batchId] = [`${whole.sequence}.${i}`, randomUUID()];
      const path = join(dir, segmentName(sequence, batchId));
      const content = Buffer.from(half.map((line) => `${line}\n`).join(''));
      parts.push({ path, sequence, batchId, ...measure(content) });
      writeFileSync(path, content, { mode: 0o600, flush: true });
      // That says when its reports were made.
      utimesSync(path, atime, mtime);
    }
    unlinkSync(whole.path);
  } catch (error) {
    for (const { path } of parts) removeIfExists(path);
    throw error;
  }
  syncFolder(dir);
  return parts;
}

/** Removes the parts of segments that are still whole, and answers the others. */
export function removeUnfinished(segments: Segment[]): Segment[] {
  const sequences = new Set(segments.map(({ sequence }) => sequence));
  return segments.filter(({ path, sequence }) => {
    const finished = !sequences.has(sequence.replace(/\.[01]$/, '')) || !sequence.includes('.');
    if (!finished) removeIfExists(path);
    return finished;
  });
}
