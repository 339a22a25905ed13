import { SignJWT } from 'jose';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InstallerError } from '../installer-error.ts';

/** A key of App Store Connect: who asks. */
export interface NotaryCredentials {
  key: KeyObject;
  keyId: string;
  /** The UUID of the team, as App Store Connect shows it above its keys. */
  issuer: string;
}

/** Reads the .p8 file that App Store Connect gives once. Throws InstallerError, without the key. */
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

/** Apple takes at most twenty minutes; a new one goes with every request, so few are enough. */
const life = 10 * 60;

/** What shows Apple who asks: a JWT, signed with ES256. `now` in milliseconds. */
export function createToken(credentials: NotaryCredentials, now: number): Promise<string> {
  const issued = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: credentials.keyId, typ: 'JWT' })
    .setIssuer(credentials.issuer)
    .setAudience('appstoreconnect-v1')
    .setIssuedAt(issued)
    .setExpirationTime(issued + life)
    .sign(credentials.key);
}
