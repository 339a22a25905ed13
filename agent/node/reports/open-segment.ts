import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** The part of the spool that is being written. */
export interface OpenSegment {
  readonly reports: number;
  readonly bytes: number;
  /**
   * Returns once the operating system has received the line, which then survives the end of this
   * process.
   */
  append(line: string): void;
  close(): void;
}

/**
 * Creates a segment.
 *
 * @throws Error of the system if the file cannot be created or, from `append`, cannot be written
 */
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
        writeFully(file, content, bytes);
      } catch (error) {
        // Without this, the next line would be appended to a partial line left by a full disk.
        ftruncateSync(file, bytes);
        throw error;
      }
      reports += 1;
      bytes += content.length;
    },
    close: () => closeSync(file),
  };
}

// A write may be short, for example on a full disk; the next write then throws the error.
function writeFully(file: number, content: Buffer, position: number): void {
  for (let written = 0; written < content.length;)
    written += writeSync(file, content, written, content.length - written, position + written);
}
