import { readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { removeIfExists, syncFolder } from '../state/atomic-file.ts';

/** A closed part of the spool: a file of NDJSON that is sent as one batch. */
export interface Segment {
  path: string;
  /**
   * The batch id, fixed in the file's name, so that sending the file again sends the same batch.
   */
  batchId: string;
  /** Its position in the upload order, compared as text: a number, and `.0` or `.1` for a half. */
  sequence: string;
  reports: number;
  bytes: number;
}

/** The name of the segment to which reports are appended. */
export const OPEN_NAME = 'open.ndjson';
const sealedName = /^(\d{12}(?:\.[01])*)-([0-9a-f-]{36})\.ndjson$/;

export const formatSequence = (number: number): string => String(number).padStart(12, '0');
export const parseSequence = (sequence: string): number => Number.parseInt(sequence, 10);

export const segmentName = (sequence: string, batchId: string): string =>
  `${sequence}-${batchId}.ndjson`;

/** Returns the segment in a file, or null if the file's name is not that of a sealed segment. */
export function readSegment(path: string): Segment | null {
  const [, sequence, batchId] = sealedName.exec(basename(path)) ?? [];
  if (!sequence || !batchId) return null;
  const content = readFileSync(path);
  return { path, batchId, sequence, ...measure(content) };
}

/**
 * Returns the reports of a segment in their wire format.
 *
 * @throws SyntaxError if the file is damaged
 */
export function readReports(segment: Segment): unknown[] {
  return readLines(segment).map((line) => JSON.parse(line) as unknown);
}

/**
 * Returns the complete lines of a segment. A partial line from a killed process is skipped: its
 * append never returned, so no caller relies on it being stored.
 */
export function readLines(segment: Segment): string[] {
  return readFileSync(segment.path, 'utf8').split('\n').slice(0, -1);
}

/** Counts the complete lines and the bytes in a file. */
export function measure(content: Buffer): { reports: number; bytes: number } {
  let reports = 0;
  for (let index = content.indexOf(10); index >= 0; index = content.indexOf(10, index + 1))
    reports += 1;
  return { reports, bytes: content.length };
}

/** Returns whether a spool creates files with this name: open, sealed or rejected. */
export const isSpoolFile = (name: string): boolean =>
  name === OPEN_NAME || sealedName.test(name.replace(/\.rejected$/, '.ndjson'));

/**
 * Splits a segment into two batches that replace it. A segment and its parts are never both sent:
 * the parts are returned only after the whole is durably deleted, and parts found next to their
 * whole were left by a crash (`removeUnfinished`).
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
      // The file time shows when the reports were made.
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

/** Removes the parts of segments that were not split completely. Returns the other segments. */
export function removeUnfinished(segments: Segment[]): Segment[] {
  const sequences = new Set(segments.map(({ sequence }) => sequence));
  return segments.filter(({ path, sequence }) => {
    const finished = !sequences.has(sequence.replace(/\.[01]$/, '')) || !sequence.includes('.');
    if (!finished) removeIfExists(path);
    return finished;
  });
}
