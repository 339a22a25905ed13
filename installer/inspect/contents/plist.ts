import { parsePlist } from '../../bundle/info-plist.ts';

/** What is in a property list, or null where it is none. */
export function readPlist(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = parsePlist(bytes, '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
