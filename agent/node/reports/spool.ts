import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, removeIfExists } from '../state/atomic-file.ts';
import { createOpenSegment, type OpenSegment } from './open-segment.ts';
import {
  formatSequence,
  measure,
  OPEN_NAME,
  parseSequence,
  readSegment,
  removeUnfinished,
  type Segment,
  segmentName,
  splitSegment,
} from './segment-file.ts';

export interface SpoolOptions<R> {
  dir: string;
  /** The schema of the contract. A report that does not match it is not stored. */
  report: z.ZodType<R>;
  /** The time in ms for which reports may wait in the open segment. */
  maxOpenMs: number;
  /** The maximum number of reports in a segment. */
  maxReports?: number;
  /** The size in bytes at which a segment is closed. */
  segmentBytes?: number;
  /** The maximum size of the spool in bytes; beyond it the oldest reports are dropped. */
  maxBytes?: number;
  /** Called when there is a segment to upload. */
  onSealed?: () => void;
  /** Called before reports made between these two times are dropped. */
  onDropped?: (reports: number, from: number, to: number) => void;
  onProblem?: (line: string) => void;
}

export interface Spool<R> {
  /** Stores a report. Returns true if it survives even a sudden end of this process. */
  append(report: R): boolean;
  /** Closes the open segment, unless it is empty, so that it can be uploaded. */
  seal(): void;
  /**
   * Returns the segment to upload next. It is not dropped until it is removed, split, rejected or
   * released.
   */
  take(): Segment | null;
  release(): void;
  /** Removes a segment that the control plane has received. */
  remove(segment: Segment): void;
  /** Splits a segment with a refused report: its halves are sent instead. */
  split(segment: Segment): void;
  /**
   * Sets aside a segment that the control plane will never accept: it is kept for inspection, not
   * sent. Returns the file.
   */
  reject(segment: Segment): string;
  /** Returns the number of reports stored and not uploaded. */
  queued(): number;
  close(): void;
}

const MAX_REJECTED_FILES = 10;

/**
 * Stores reports of one kind on disk until they are uploaded. Lines are added to one open file.
 * Closed files are renamed once, to a name with their batch id, and are sent oldest first. Files of
 * an earlier process are uploaded too.
 */
export function openSpool<R>(options: SpoolOptions<R>): Spool<R> {
  const { dir, maxOpenMs, maxReports = 500, segmentBytes = 256 * 1024 } = options;
  const { maxBytes = 64 * 1024 * 1024, onSealed, onDropped, onProblem } = options;
  const openPath = join(dir, OPEN_NAME);
  mkdirSync(dir, { recursive: true, mode: 0o700 });

  const segments = readSegments(dir);
  let nextSequence = parseSequence(segments.at(-1)?.sequence ?? '0') + 1;
  let open: OpenSegment | null = null;
  let timer: NodeJS.Timeout | undefined;
  let uploading: Segment | null = null;

  const sealOpenFile = (size: { reports: number; bytes: number }): void => {
    const [sequence, batchId] = [formatSequence(nextSequence++), randomUUID()];
    const path = join(dir, segmentName(sequence, batchId));
    renameSync(openPath, path);
    segments.push({ path, batchId, sequence, ...size });
    dropOldest();
    onSealed?.();
  };

  const dropOldest = (): void => {
    let bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (bytes > maxBytes) {
      const oldest = segments.find((segment) => segment !== uploading);
      if (!oldest) return;
      reportDropped(oldest);
      forget(oldest);
      removeIfExists(oldest.path);
      bytes -= oldest.bytes;
    }
  };

  /** Reports dropped ones. They were made within `maxOpenMs` before the last write. */
  const reportDropped = ({ path, reports }: Segment): void => {
    const to = Math.trunc(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    onDropped?.(reports, to - maxOpenMs, to);
  };

  const replace = (segment: Segment, parts: Segment[]): void => {
    if (segment === uploading) uploading = null;
    const index = segments.indexOf(segment);
    if (index >= 0) segments.splice(index, 1, ...parts);
  };
  const forget = (segment: Segment): void => replace(segment, []);

  const closeSegment = (): void => {
    clearTimeout(timer);
    if (!open) return;
    const { reports, bytes } = open;
    open.close();
    open = null;
    if (reports > 0) sealOpenFile({ reports, bytes });
    else removeIfExists(openPath);
  };

  const seal = (): void => {
    const failure = tryTo(closeSegment);
    if (failure !== null) onProblem?.(`reports could not be made ready for upload: ${failure}`);
  };

  const store = (line: string): void => {
    if (!open) {
      // The open file exists only if closing it failed earlier.
      recoverOpenFile(openPath, sealOpenFile);
      open = createOpenSegment(openPath);
      timer = setTimeout(seal, maxOpenMs);
    }
    open.append(line);
  };

  recoverOpenFile(openPath, sealOpenFile);
  return {
    append: (report) => {
      const encoded = z.safeEncode(options.report, report);
      const failure = encoded.success
        ? tryTo(() => store(JSON.stringify(encoded.data)))
        : 'it is not of the contract';
      if (failure !== null) {
        onDropped?.(1, Date.now(), Date.now());
        onProblem?.(`a report could not be stored: ${failure}`);
      }
      if (open && (open.reports >= maxReports || open.bytes >= segmentBytes)) seal();
      return failure === null;
    },
    seal,
    take: () => (uploading = segments[0] ?? null),
    release: () => (uploading = null),
    remove: (segment) => {
      forget(segment);
      // A later process sends it again, under the same batch id.
      const failure = tryTo(() => removeIfExists(segment.path));
      if (failure !== null) onProblem?.(`an uploaded batch could not be removed: ${failure}`);
    },
    split: (segment) => {
      const failure = tryTo(() => replace(segment, splitSegment(segment)));
      if (failure !== null) onProblem?.(`a batch could not be split: ${failure}`);
    },
    reject: (segment) => {
      const path = segment.path.replace(/\.ndjson$/, '.rejected');
      reportDropped(segment);
      forget(segment);
      const failure = tryTo(() => {
        renameSync(segment.path, path);
        removeOldRejected(dir);
      });
      if (failure !== null) onProblem?.(`a refused batch could not be set aside: ${failure}`);
      return path;
    },
    queued: () => segments.reduce((sum, { reports }) => sum + reports, open?.reports ?? 0),
    close: seal,
  };
}

/** Returns the sealed segments to send, oldest first. */
function readSegments(dir: string): Segment[] {
  const found = readdirSync(dir)
    .map((name) => readSegment(join(dir, name)))
    .filter((segment) => segment !== null);
  return removeUnfinished(found).sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
}

function recoverOpenFile(
  openPath: string,
  sealOpenFile: (size: { reports: number; bytes: number }) => void,
): void {
  try {
    const size = measure(readFileSync(openPath));
    if (size.reports > 0) sealOpenFile(size);
    else removeIfExists(openPath);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function tryTo(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return errnoOf(error) ?? (error as Error).message;
  }
}

function removeOldRejected(dir: string): void {
  const rejected = readdirSync(dir).filter((name) => name.endsWith('.rejected'));
  for (const name of rejected.sort().slice(0, -MAX_REJECTED_FILES)) removeIfExists(join(dir, name));
}
