import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, removeIfThere } from './atomic-file.ts';
import { createOpenSegment, type OpenSegment } from './open-segment.ts';
import {
  measure,
  openName,
  orderOf,
  placeOf,
  readSegment,
  type Segment,
  segmentName,
} from './segment-file.ts';
import { removeUnfinished, splitSegment } from './split-segment.ts';

export interface SpoolOptions<R> {
  dir: string;
  /** Of the contract: what is not as it says is not stored. */
  report: z.ZodType<R>;
  /** How long reports may wait in the open segment. */
  openMs: number;
  /** The most reports in a segment. */
  mostReports?: number;
  /** A segment is closed once it is this large. */
  segmentBytes?: number;
  /** All of the spool; beyond it the oldest reports go. */
  mostBytes?: number;
  /** There is a segment to upload. */
  onSealed?: () => void;
  /** So many reports, made between these two times, are about to be given up. */
  onDropped?: (reports: number, from: number, to: number) => void;
  onProblem?: (line: string) => void;
}

export interface Spool<R> {
  /** Stores a report. True means that it survives the end of this process, however sudden. */
  append(report: R): boolean;
  /** Closes the open segment, if it holds anything, so that it can be uploaded. */
  seal(): void;
  /** The segment to upload next. Until it is removed, split, rejected or released it is not dropped. */
  take(): Segment | null;
  release(): void;
  /** The service has it. */
  remove(segment: Segment): void;
  /** Something in it is not taken: from now on its halves are sent in its place. */
  split(segment: Segment): void;
  /** The service will never take it: kept for inspection, no longer sent. Answers the file. */
  reject(segment: Segment): string;
  /** Reports stored and not uploaded. */
  queued(): number;
  close(): void;
}

const keptRejected = 10;

/**
 * Reports of one kind on disk between being made and being uploaded. Lines are added to one open
 * file; closed files are renamed once, to a name that carries their batch id, and are sent oldest
 * first. What an earlier process left is taken over as it is.
 */
export function openSpool<R>(options: SpoolOptions<R>): Spool<R> {
  const { dir, openMs, mostReports = 500, segmentBytes = 256 * 1024 } = options;
  const { mostBytes = 64 * 1024 * 1024, onSealed, onDropped, onProblem } = options;
  const openPath = join(dir, openName);
  mkdirSync(dir, { recursive: true, mode: 0o700 });

  const segments = readSegments(dir);
  let nextOrder = orderOf(segments.at(-1)?.place ?? '0') + 1;
  let open: OpenSegment | null = null;
  let timer: NodeJS.Timeout | undefined;
  let taken: Segment | null = null;

  const rename = (measured: { reports: number; bytes: number }): void => {
    const [place, batchId] = [placeOf(nextOrder++), randomUUID()];
    const path = join(dir, segmentName(place, batchId));
    renameSync(openPath, path);
    segments.push({ path, batchId, place, ...measured });
    dropOldest();
    onSealed?.();
  };

  const dropOldest = (): void => {
    let bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (bytes > mostBytes) {
      const oldest = segments.find((segment) => segment !== taken);
      if (!oldest) return;
      sayDropped(oldest);
      forget(oldest);
      removeIfThere(oldest.path);
      bytes -= oldest.bytes;
    }
  };

  /** The last of its reports was made when it was last written, the first not long before. */
  const sayDropped = ({ path, reports }: Segment): void => {
    const to = Math.trunc(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    onDropped?.(reports, to - openMs, to);
  };

  const replace = (segment: Segment, parts: Segment[]): void => {
    if (segment === taken) taken = null;
    const at = segments.indexOf(segment);
    if (at >= 0) segments.splice(at, 1, ...parts);
  };
  const forget = (segment: Segment): void => replace(segment, []);

  const closeSegment = (): void => {
    clearTimeout(timer);
    if (!open) return;
    const { reports, bytes } = open;
    open.close();
    open = null;
    if (reports > 0) rename({ reports, bytes });
    else removeIfThere(openPath);
  };

  const seal = (): void => {
    const failure = attempt(closeSegment);
    if (failure !== null) onProblem?.(`reports could not be made ready for upload: ${failure}`);
  };

  const store = (line: string): void => {
    if (!open) {
      // Only there if closing it once failed half-way.
      takeOver(openPath, rename);
      open = createOpenSegment(openPath);
      timer = setTimeout(seal, openMs);
    }
    open.append(line);
  };

  takeOver(openPath, rename);
  return {
    append: (report) => {
      const encoded = z.safeEncode(options.report, report);
      const failure = encoded.success
        ? attempt(() => store(JSON.stringify(encoded.data)))
        : 'it is not of the contract';
      if (failure !== null) {
        onDropped?.(1, Date.now(), Date.now());
        onProblem?.(`a report could not be stored: ${failure}`);
      }
      if (open && (open.reports >= mostReports || open.bytes >= segmentBytes)) seal();
      return failure === null;
    },
    seal,
    take: () => (taken = segments[0] ?? null),
    release: () => (taken = null),
    remove: (segment) => {
      forget(segment);
      removeIfThere(segment.path);
    },
    split: (segment) => {
      const failure = attempt(() => replace(segment, splitSegment(segment)));
      if (failure !== null) onProblem?.(`a batch could not be split: ${failure}`);
    },
    reject: (segment) => {
      const path = segment.path.replace(/\.ndjson$/, '.rejected');
      sayDropped(segment);
      forget(segment);
      renameSync(segment.path, path);
      removeOldRejected(dir);
      return path;
    },
    queued: () => segments.reduce((sum, { reports }) => sum + reports, open?.reports ?? 0),
    close: seal,
  };
}

/** The sealed segments that are to be sent, oldest first. */
function readSegments(dir: string): Segment[] {
  const found = readdirSync(dir)
    .map((name) => readSegment(join(dir, name)))
    .filter((segment) => segment !== null);
  return removeUnfinished(found).sort((a, b) => (a.place < b.place ? -1 : 1));
}

function takeOver(
  openPath: string,
  rename: (measured: { reports: number; bytes: number }) => void,
): void {
  try {
    const measured = measure(readFileSync(openPath));
    if (measured.reports > 0) rename(measured);
    else removeIfThere(openPath);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function attempt(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return errnoOf(error) ?? (error as Error).message;
  }
}

function removeOldRejected(dir: string): void {
  const rejected = readdirSync(dir).filter((name) => name.endsWith('.rejected'));
  for (const name of rejected.sort().slice(0, -keptRejected)) removeIfThere(join(dir, name));
}
