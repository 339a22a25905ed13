import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** The part of the spool that is being written. */
export interface OpenSegment {
  readonly reports: number;
  readonly bytes: number;
  /** Returns once the system has the line: from then on it survives the end of this process. */
  append(line: string): void;
  close(): void;
}

/** Throws the system's error if the file cannot be made, or, on append, cannot be written. */
export function createOpenSegment(path: string): OpenSegment {
  const file = openSync(path, 'wx', 0o600);
  let reports = 0;
  let bytes = 0;
  return {
    get reports() {
      return reports;
    },
    get bytes() {
      return bytes;
    },
    append: (line) => {
      const content = Buffer.from(`${line}\n`);
      try {
        writeWhole(file, content, bytes);
      } catch (error) {
        // Else the next line would continue the half that a full disk left.
        ftruncateSync(file, bytes);
        throw error;
      }
      reports += 1;
      bytes += content.length;
    },
    close: () => closeSync(file),
  };
}

// A write may stop short, at the end of the disk for instance; the next one then says why.
function writeWhole(file: number, content: Buffer, position: number): void {
  for (let written = 0; written < content.length;) {
    written += writeSync(file, content, written, content.length - written, position + written);
  }
}
