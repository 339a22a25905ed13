import { SignJWT } from 'jose';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InstallerError } from '../installer-error.ts';

/** An App Store Connect API key. */
export interface NotaryCredentials {
  key: KeyObject;
  keyId: string;
  /** The UUID of the team, shown in App Store Connect above its keys. */
  issuer: string;
}

/**
 * Reads the .p8 file, which App Store Connect offers for download only once.
 *
 * @throws InstallerError, without the key
 */
export async function readNotaryKey(path: string): Promise<KeyObject> {
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InstallerError(`--notary-key ${path}: cannot be read (${error.code})`);
  });
  const key = parse(pem);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new InstallerError(
    `--notary-key ${path}: expected the .p8 of App Store Connect (PKCS#8, P-256), ` +
      'found something else',
  );
}

function parse(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/**
 * Lifetime in seconds. Apple accepts at most twenty minutes. Every request gets a new token, so a
 * short lifetime suffices.
 */
const TOKEN_LIFETIME_SECONDS = 10 * 60;

/**
 * Creates the JWT that authenticates requests to Apple, signed with ES256. `now` is in
 * milliseconds.
 */
export function createToken(credentials: NotaryCredentials, now: number): Promise<string> {
  const issued = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: credentials.keyId, typ: 'JWT' })
    .setIssuer(credentials.issuer)
    .setAudience('appstoreconnect-v1')
    .setIssuedAt(issued)
    .setExpirationTime(issued + TOKEN_LIFETIME_SECONDS)
    .sign(credentials.key);
}
