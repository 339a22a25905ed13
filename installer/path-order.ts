/** Compares by UTF-8 bytes, independent of the locale. */
export const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The path without its last part; empty for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
