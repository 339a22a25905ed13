import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom';
import { parse, parseBinary } from 'plist';
import { z } from 'zod';
import { InstallerError } from '../installer-error.ts';

// What goes into XML and paths: control characters could stand in neither.
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

/** What the Info.plist of an app says about it. */
export type BundleInfo = z.output<typeof infoPlist>;

/** Reads an Info.plist, XML or binary. Throws InstallerError, naming `path`, if it is not one. */
export function parseInfoPlist(bytes: Buffer, path: string): BundleInfo {
  const read = infoPlist.safeParse(parsePlist(bytes, path));
  if (read.success) return read.data;
  const key = read.error.issues[0]?.path.join('.') || 'its content';
  throw new InstallerError(`${path}: ${key} is missing or not what it has to be`);
}

/** Reads a property list, XML or binary. Throws InstallerError, naming `path`. */
export function parsePlist(bytes: Buffer, path: string): unknown {
  try {
    if (bytes.toString('latin1', 0, 6) === 'bplist') return parseBinary(bytes);
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    // The parser below plist prints what it dislikes; this one, asked first, only throws it.
    new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, 'text/xml');
    return parse(text);
  } catch (cause) {
    throw new InstallerError(`${path}: not a property list`, { cause });
  }
}
