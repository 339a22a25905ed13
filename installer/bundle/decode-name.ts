import { InstallerError } from '../installer-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name that macOS can have: its file systems take UTF-8 only. `where` begins the refusal. */
export function decodeName(name: Uint8Array, where: string): string {
  try {
    return utf8.decode(name);
  } catch (cause) {
    const shown = Buffer.from(name)
      .toString('latin1')
      .replace(/[^ -~]/g, '?');
    throw new InstallerError(`${where} ${shown} is not UTF-8`, { cause });
  }
}
