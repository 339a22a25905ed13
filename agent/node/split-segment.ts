import { randomUUID } from 'node:crypto';
import { statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeIfThere, syncFolder } from './atomic-file.ts';
import { measure, readLines, type Segment, segmentName } from './segment-file.ts';

/**
 * Splits a segment into two that replace it, each a batch of its own. Whole and parts are never both
 * sent: the parts are returned only after the whole is deleted for good, and parts found beside
 * their whole were left by a crash (`removeUnfinished`). Throws the system's error if the parts
 * cannot be written; the whole is then unchanged.
 */
export function splitSegment(whole: Segment): Segment[] {
  const dir = dirname(whole.path);
  const lines = readLines(whole);
  const middle = Math.ceil(lines.length / 2);
  const parts: Segment[] = [];
  const { atime, mtime } = statSync(whole.path);
  try {
    for (const [i, half] of [lines.slice(0, middle), lines.slice(middle)].entries()) {
      const [place, batchId] = [`${whole.place}.${i}`, randomUUID()];
      const path = join(dir, segmentName(place, batchId));
      const content = Buffer.from(half.map((line) => `${line}\n`).join(''));
      parts.push({ path, place, batchId, ...measure(content) });
      writeFileSync(path, content, { mode: 0o600, flush: true });
      // That says when its reports were made.
      utimesSync(path, atime, mtime);
    }
    unlinkSync(whole.path);
  } catch (error) {
    for (const { path } of parts) removeIfThere(path);
    throw error;
  }
  syncFolder(dir);
  return parts;
}

/** Removes the parts of segments that are still whole, and answers the others. */
export function removeUnfinished(segments: Segment[]): Segment[] {
  const places = new Set(segments.map(({ place }) => place));
  return segments.filter(({ path, place }) => {
    const finished = !places.has(place.replace(/\.[01]$/, '')) || !place.includes('.');
    if (!finished) removeIfThere(path);
    return finished;
  });
}
