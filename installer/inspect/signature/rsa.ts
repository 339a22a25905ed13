import { constants, publicDecrypt } from 'node:crypto';
import type { Certificate } from '#pki/cms/parsed-certificate.ts';
import { InstallerError } from '../../installer-error.ts';
import type { DigestName } from '../archive/header.ts';

/** The DER of a DigestInfo up to the digest itself (RFC 8017, section 9.2). */
const digestInfo: Readonly<Record<DigestName, string>> = {
  sha1: '3021300906052b0e03021a05000414',
  sha256: '3031300d060960864801650304020105000420',
  sha512: '3051300d060960864801650304020305000440',
};

/**
 * Verifies a PKCS#1 v1.5 signature whose digest is the checksum itself, not hashed again.
 *
 * @throws InstallerError
 */
export function verifyRsa(
  signature: Buffer,
  checksum: { digest: DigestName; value: Buffer },
  { x509, name }: Certificate,
): void {
  const { publicKey } = x509;
  if (publicKey.asymmetricKeyType !== 'rsa') throw new InstallerError(`"${name}" has no RSA key`);
  const expected = Buffer.concat([Buffer.from(digestInfo[checksum.digest], 'hex'), checksum.value]);
  let decrypted: Buffer;
  try {
    decrypted = publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
  } catch (error) {
    throw new InstallerError(`is not by "${name}"`, { cause: error });
  }
  if (!decrypted.equals(expected))
    throw new InstallerError(`by "${name}" is for another table of contents`);
}
