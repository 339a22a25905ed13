import { parsePlist } from '../../bundle/info-plist.ts';

/** The content of a property list, or null if it is invalid. */
export function readPlist(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = parsePlist(bytes, '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
