import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair as generate,
  randomBytes,
  sign,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { childAt, readBer } from '#pki/cms/ber.ts';
import { DAY_MS } from '#lib/time-units.ts';

/** A certificate of a test authority, with its key. */
export interface TestCertificate {
  certificate: X509Certificate;
  key: KeyObject;
}

export interface CertificateOrder {
  subject: string;
  /** Default: the certificate is self-signed. */
  issuer?: TestCertificate;
  key?: KeyObject;
  extensions?: Extension[];
  /** Milliseconds since 1970. By default, the validity starts a day ago and lasts ten days. */
  notBefore?: number;
  notAfter?: number;
}

/**
 * Generates an RSA key with 2048 bits, like those of Apple's signing certificates, or with the
 * given size.
 */
export async function createRsaKey(modulusLength = 2048): Promise<KeyObject> {
  const { privateKey } = await promisify(generate)('rsa', { modulusLength });
  return privateKey;
}

/** Creates a certificate, and a key unless one is given. */
export async function createCertificate(order: CertificateOrder): Promise<TestCertificate> {
  const key = order.key ?? (await createRsaKey());
  const issuer = order.issuer;
  const publicKey = new PublicKey(toDer(createPublicKey(key)));
  const signer = new PublicKey(toDer(createPublicKey(issuer?.key ?? key)));
  const certificate = await X509CertificateGenerator.create({
    serialNumber: `4a${randomBytes(9).toString('hex')}`,
    subject: order.subject,
    issuer: issuer ? subjectOf(issuer) : order.subject,
    notBefore: new Date(order.notBefore ?? Date.now() - DAY_MS),
    notAfter: new Date(order.notAfter ?? Date.now() + 10 * DAY_MS),
    publicKey,
    signingKey: toSigningKey(issuer?.key ?? key),
    signingAlgorithm: algorithmOf(issuer?.key ?? key),
    extensions: [
      ...(order.extensions ?? []),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(signer),
    ],
  });
  return { certificate: new X509Certificate(Buffer.from(certificate.rawData)), key };
}

/** The last byte of the OID of RSA signatures with each digest. */
const rsaSignatures = { md5: 4, sha1: 5, sha384: 12, sha512: 13 } as const;

/** Returns the same certificate, signed again by an RSA key with a weak or different digest. */
export function resign(
  { certificate, key }: TestCertificate,
  issuer: TestCertificate,
  digest: keyof typeof rsaSignatures,
): TestCertificate {
  const bytes = Buffer.from(certificate.raw);
  // The algorithm occurs in the signed part and next to the signature.
  for (let at = 0; (at = bytes.indexOf('2a864886f70d01010b', at, 'hex')) !== -1;)
    bytes[(at += 8)] = rsaSignatures[digest];
  const signature = sign(digest, childAt(readBer(bytes), 0).raw, issuer.key);
  signature.copy(bytes, bytes.length - signature.length);
  return { certificate: new X509Certificate(bytes), key };
}

/** The extensions of an authority. */
export function authorityExtensions(pathLength?: number): Extension[] {
  return [
    new BasicConstraintsExtension(true, pathLength, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
  ];
}

/** The extensions of a signer, which may sign for the given purposes and is not an authority. */
export function signerExtensions(...purposes: string[]): Extension[] {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(purposes, true),
  ];
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

function algorithmOf(key: KeyObject) {
  return key.asymmetricKeyType === 'rsa' ? rsa : ecdsa;
}

function toSigningKey(key: KeyObject): CryptoKey {
  const pem = key.export({ type: 'pkcs8', format: 'pem' });
  return createPrivateKey(pem).toCryptoKey(algorithmOf(key), false, ['sign']) as CryptoKey;
}

function toDer(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(key.export({ type: 'spki', format: 'der' }));
}

/** Formats a subject as `CN=…, O=…`. Node formats one field per line, the root's first. */
function subjectOf({ certificate }: TestCertificate): string {
  return certificate.subject.split('\n').join(', ');
}
