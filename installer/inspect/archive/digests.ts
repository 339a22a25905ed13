import { InstallerError } from '../../installer-error.ts';

/** The digests that a table of contents may rest on. MD5 and none at all prove nothing. */
export type DigestName = 'sha1' | 'sha256' | 'sha512';

export const digestSizes: Readonly<Record<DigestName, number>> = {
  sha1: 20,
  sha256: 32,
  sha512: 64,
};

/** The numbers of Apple's header; another implementation of xar gives 3 another meaning. */
const byNumber: Readonly<Record<number, DigestName>> = { 1: 'sha1', 3: 'sha256', 4: 'sha512' };

export function digestOfNumber(number: number): DigestName {
  const name = byNumber[number];
  if (!name) throw new InstallerError(`checksum algorithm ${number} proves nothing or is unknown`);
  return name;
}

export function digestOfStyle(style: string | undefined): DigestName {
  // Apple writes lower case; the attribute is an enumeration of names without a stated case.
  const name = style?.toLowerCase().replace('-', '');
  if (name === undefined || !Object.hasOwn(digestSizes, name))
    throw new InstallerError(`checksum of style "${style ?? ''}" proves nothing or is unknown`);
  return name as DigestName;
}
