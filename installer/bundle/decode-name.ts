import { InstallerError } from '../installer-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a file name, which macOS requires to be UTF-8. `where` is the prefix of the error. */
export function decodeName(name: Uint8Array, prefix: string): string {
  try {
    return utf8.decode(name);
  } catch (cause) {
    const lossy = Buffer.from(name)
      .toString('latin1')
      .replace(/[^ -~]/g, '?');
    throw new InstallerError(`${prefix} ${lossy} is not UTF-8`, { cause });
  }
}
