import 'reflect-metadata';
import {
  type JsonGeneralName,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { commonName } from './sign-certificate.ts';
import { deviceUri, readDeviceUri } from './device-uri.ts';
import { importSigningKey, importVerifyingKey, type KeyPair, signatureAlgorithm } from './keys.ts';

/** A certificate request that must not be fulfilled. The message may be sent to the client. */
export class CsrError extends Error {
  constructor(message: string) {
    super(`certificate request: ${message}`);
    this.name = 'CsrError';
  }
}

/**
 * The content of a request. It proves possession of the key; the issuer decides on everything else.
 */
export interface CsrFacts {
  publicKeyPem: string;
  /** The subject in the format of RFC 4514, such as `CN=mac-1`. */
  subject: string;
  /** The common name, or an empty string if the subject has none. */
  commonName: string;
  /** The serial number in the subject, or an empty string if the subject has none. */
  serialNumber: string;
  /** The subject alternative names, as `url:urn:…`. */
  names: string[];
  deviceId: string | null;
}

/** Creates a PKCS#10 request as PEM for a P-256 key. `deviceId` becomes a SAN URI. */
export async function createCsr(
  request: KeyPair & { commonName: string; deviceId?: string },
): Promise<string> {
  const names: JsonGeneralName[] =
    request.deviceId === undefined ? [] : [{ type: 'url', value: deviceUri(request.deviceId) }];
  const csr = await Pkcs10CertificateRequestGenerator.create({
    name: commonName(request.commonName),
    signingAlgorithm: signatureAlgorithm,
    keys: {
      privateKey: importSigningKey(request.privateKeyPem),
      publicKey: importVerifyingKey(request.publicKeyPem),
    },
    extensions: names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [],
  });
  return csr.toString('pem');
}

/**
 * Parses a request and verifies its signature by its own key, the strength of the key, and the
 * format of a device name.
 *
 * @throws CsrError if the request is invalid
 */
export async function readCsr(pem: string): Promise<CsrFacts> {
  const csr = parseCsr(pem);
  const key = parseKey(csr);
  refuseWeakKey(key);
  await verifySignature(csr);
  return {
    publicKeyPem: key.export({ type: 'spki', format: 'pem' }) as string,
    subject: csr.subject,
    commonName: csr.subjectName.getField('CN')[0] ?? '',
    serialNumber: csr.subjectName.getField(SERIAL_NUMBER_TYPE)[0] ?? '',
    names: alternativeNames(csr).map(({ type, value }) => `${type}:${value}`),
    deviceId: requestedDevice(csr),
  };
}

const block =
  /^-----BEGIN ((?:NEW )?CERTIFICATE REQUEST)-----\r?\n([A-Za-z0-9+/=\s]+)-----END \1-----$/;

function parseCsr(pem: string): Pkcs10CertificateRequest {
  const base64 = block.exec(pem.trim())?.[2];
  if (base64 === undefined)
    throw new CsrError('expected one PEM block "CERTIFICATE REQUEST", found something else');

  try {
    const csr = new Pkcs10CertificateRequest(Buffer.from(base64, 'base64'));
    // Accessed here because names and extensions are parsed lazily.
    void csr.subjectName;
    void csr.extensions;
    return csr;
  } catch {
    throw new CsrError('expected PKCS#10, found data that cannot be parsed');
  }
}

function parseKey(csr: Pkcs10CertificateRequest): KeyObject {
  try {
    const key = Buffer.from(csr.publicKey.rawData);
    return createPublicKey({ key, type: 'spki', format: 'der' });
  } catch {
    throw new CsrError(`${EXPECTED_KEY}, found an unreadable one`);
  }
}

const EXPECTED_KEY = 'expected an EC key on P-256 or P-384, or an RSA key of 2048 to 8192 bits';

function refuseWeakKey(key: KeyObject): void {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const kind = key.asymmetricKeyType;
  if (kind === 'ec' && (namedCurve === 'prime256v1' || namedCurve === 'secp384r1')) return;
  if (kind === 'rsa' && modulusLength >= 2048 && modulusLength <= 8192) return;
  const descriptions = { ec: `EC on ${namedCurve}`, rsa: `RSA of ${modulusLength} bits` };
  throw new CsrError(`${EXPECTED_KEY}, found ${descriptions[kind as 'ec' | 'rsa'] ?? kind}`);
}

async function verifySignature(csr: Pkcs10CertificateRequest): Promise<void> {
  const { hash } = csr.signatureAlgorithm;
  if (!/^SHA-(256|384|512)$/.test(hash?.name ?? ''))
    throw new CsrError(
      `expected a signature with SHA-256 or longer, found ${hash?.name ?? 'none'}`,
    );

  if (!(await csr.verify().catch(() => false)))
    throw new CsrError('expected a signature by its own key, found one that does not verify');
}

/** The object identifier of id-at-serialNumber in X.520. */
const SERIAL_NUMBER_TYPE = '2.5.4.5';

const alternativeNames = (csr: Pkcs10CertificateRequest) =>
  csr.extensions
    .filter((extension) => extension instanceof SubjectAlternativeNameExtension)
    .flatMap(({ names }) => names.items);

function requestedDevice(csr: Pkcs10CertificateRequest): string | null {
  const uris = alternativeNames(csr)
    .filter(({ type }) => type === 'url')
    .map(({ value }) => value);
  if (uris.length === 0) return null;
  const id = readDeviceUri(uris[0] ?? '');
  if (uris.length > 1 || id === null)
    throw new CsrError('expected at most one SAN URI, urn:svc:device:<id>, found something else');

  return id;
}
