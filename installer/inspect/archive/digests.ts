import { InstallerError } from '../../installer-error.ts';

/** Digests accepted for a table of contents. MD5 and a missing digest prove nothing. */
export type DigestName = 'sha1' | 'sha256' | 'sha512';

export const digestSizes: Readonly<Record<DigestName, number>> = {
  sha1: 20,
  sha256: 32,
  sha512: 64,
};

/** The numbers of Apple's header; another implementation of xar uses 3 differently. */
const byNumber: Readonly<Record<number, DigestName>> = { 1: 'sha1', 3: 'sha256', 4: 'sha512' };

export function digestOfNumber(number: number): DigestName {
  const name = byNumber[number];
  if (!name) throw new InstallerError(`checksum algorithm ${number} proves nothing or is unknown`);
  return name;
}

export function digestOfStyle(style: string | undefined): DigestName {
  // Apple writes lower case; the specification does not define the case.
  const name = style?.toLowerCase().replace('-', '');
  if (name === undefined || !Object.hasOwn(digestSizes, name))
    throw new InstallerError(`checksum of style "${style ?? ''}" proves nothing or is unknown`);
  return name as DigestName;
}
