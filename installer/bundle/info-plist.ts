import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom';
import { parse, parseBinary } from 'plist';
import { z } from 'zod';
import { InstallerError } from '../installer-error.ts';

// These values are used in XML and paths, so they must not contain control characters.
const fileName = z.string().regex(/^[^/\p{Cc}]+$/u);
const version = z
  .string()
  .regex(/^\P{Cc}*$/u)
  .optional();

const infoPlist = z.object({
  CFBundleIdentifier: z.string().min(1),
  CFBundleExecutable: fileName,
  CFBundleShortVersionString: version,
  CFBundleVersion: version,
  LSMinimumSystemVersion: version,
});

/** Properties of an app from its Info.plist. */
export type BundleInfo = z.output<typeof infoPlist>;

/**
 * Parses an Info.plist, XML or binary.
 *
 * @throws InstallerError naming `path` if it is invalid
 */
export function parseInfoPlist(bytes: Buffer, path: string): BundleInfo {
  const read = infoPlist.safeParse(parsePlist(bytes, path));
  if (read.success) return read.data;
  const key = read.error.issues[0]?.path.join('.') || 'its content';
  throw new InstallerError(`${path}: ${key} is missing or invalid`);
}

/**
 * Parses a property list, XML or binary.
 *
 * @throws InstallerError naming `path`
 */
export function parsePlist(bytes: Buffer, path: string): unknown {
  try {
    if (bytes.toString('latin1', 0, 6) === 'bplist') return parseBinary(bytes);
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    // Runs first, because it throws XML errors, which the plist parser below prints.
    new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml');
    return parse(text);
  } catch (error) {
    throw new InstallerError(`${path}: not a property list`, { cause: error });
  }
}
