import forge from 'node-forge';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { IdentityError, nameOf, orderChain } from './identity-chain.ts';

/** A private RSA key and its certificates, the key's own first, the root last. */
export interface Identity {
  key: KeyObject;
  chain: readonly [X509Certificate, ...X509Certificate[]];
}

/** A file with one identity has a few kilobytes. A larger file is not one. */
const MAX_FILE_BYTES = 1_048_576;

/**
 * Reads a PKCS#12 file, either old (3DES and RC2 with SHA-1, as Keychain Access exports it) or new
 * (AES with SHA-256, as OpenSSL 3 writes it). All certificates must be valid at `now`
 * (milliseconds).
 *
 * @throws IdentityError with a one-line message: the path and the reason, without the password
 */
export async function loadIdentity(path: string, password: string, now: number): Promise<Identity> {
  try {
    const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new IdentityError(`cannot be read (${error.code ?? 'unknown reason'})`);
    });
    return readIdentity(file, password, now);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    throw new IdentityError(`${path}: ${error.message}`);
  }
}

/** Like `loadIdentity`, but reads the bytes of the file. */
export function readIdentity(file: Uint8Array, password: string, now: number): Identity {
  const bags = openBags(file, password);
  const key = readKey(bags.filter(({ type }) => keyBags.has(type)));
  const certificates = bags.filter(({ type }) => type === certBag).map(readCertificate);
  const chain = orderChain(key, certificates);
  for (const certificate of chain) checkDates(certificate, now);
  return { key, chain };
}

const { certBag = '', keyBag = '', pkcs8ShroudedKeyBag = '' } = forge.pki.oids;
const keyBags = new Set([keyBag, pkcs8ShroudedKeyBag]);

function openBags(file: Uint8Array, password: string): forge.pkcs12.Bag[] {
  const pfx = open(file, password);
  return pfx.safeContents.flatMap(({ safeBags }) => safeBags);
}

function open(file: Uint8Array, password: string): forge.pkcs12.Pkcs12Pfx {
  try {
    if (file.length > MAX_FILE_BYTES) throw new Error('too large');
    return decrypt(Buffer.from(file).toString('latin1'), password);
  } catch (error) {
    throw new IdentityError(rewordError((error as Error).message));
  }
}

/**
 * Decrypts the file. The checksum uses the password as UTF-16, newer encryption uses it as UTF-8
 * (RFC 7292, B.1), but the library accepts only one text for both. The second attempt skips the
 * checksum, which the first attempt has verified.
 */
function decrypt(der: string, password: string): forge.pkcs12.Pkcs12Pfx {
  const parsed = forge.asn1.fromDer(der);
  try {
    return forge.pkcs12.pkcs12FromAsn1(parsed, false, password);
  } catch (error) {
    const bytes = Buffer.from(password, 'utf8').toString('latin1');
    if (bytes === password || /MAC/.test((error as Error).message)) throw error;
    const unchecked = { ...parsed, value: parsed.value.slice(0, 2) };
    return forge.pkcs12.pkcs12FromAsn1(unchecked, false, bytes);
  }
}

/** Rewords the library's messages for the three causes that a user can fix. */
function rewordError(message: string): string {
  if (/password|decrypt/i.test(message)) return 'the password is wrong';
  if (/unsupported/i.test(message))
    return 'expected a PKCS#12 file with 3DES, RC2-40 or AES encryption, found another algorithm';

  return 'expected a PKCS#12 file (.p12), found something else';
}

function readKey(bags: forge.pkcs12.Bag[]): KeyObject {
  const [bag, ...more] = bags;
  if (!bag) throw new IdentityError('contains no private key: export the certificate with its key');
  if (more.length > 0) throw new IdentityError(`expected one private key, found ${bags.length}`);

  const info = bag.key
    ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key))
    : bag.asn1;
  const key = importKey(toBuffer(info));
  if (key.asymmetricKeyType === 'rsa') return key;
  const keyType = key.asymmetricKeyType?.toUpperCase();
  throw new IdentityError(
    `expected an RSA key, as Apple's signing identities have, found ${keyType}`,
  );
}

function importKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    throw new IdentityError('the private key in it cannot be read');
  }
}

function readCertificate(bag: forge.pkcs12.Bag): X509Certificate {
  try {
    return new X509Certificate(
      toBuffer(bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1),
    );
  } catch {
    throw new IdentityError('a certificate in it cannot be read');
  }
}

function toBuffer(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1');
}

function checkDates(certificate: X509Certificate, now: number): void {
  const { validFromDate: from, validToDate: to } = certificate;
  const name = `the certificate ${nameOf(certificate)}`;
  if (now > to.getTime()) throw new IdentityError(`${name} expired on ${to.toISOString()}`);
  if (now < from.getTime())
    throw new IdentityError(`${name} is valid only from ${from.toISOString()}`);
}
