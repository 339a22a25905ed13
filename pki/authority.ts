import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { catalogHostsBelow, checkInterceptHosts } from '#domain/hosts/host-catalog.ts';
import type { CsrFacts } from './csr.ts';
import {
  commonName,
  IssuanceError,
  type CertificateAndKey,
  signCertificate,
  type Issuer,
  randomSerial,
  validity,
} from './sign-certificate.ts';
import { deviceUri } from './device-uri.ts';
import {
  generateKeyPair,
  importSigningKey,
  importVerifyingKey,
  signatureAlgorithm,
} from './keys.ts';
import { constrainNames } from './name-constraints.ts';
import { isIP } from 'node:net';

const hostName = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/**
 * Whether the name is a DNS name as allowed in certificates: one label is enough; wildcards and IP
 * addresses are not allowed.
 */
export const isDnsName = (name: string): boolean => hostName.test(name) && isIP(name) === 0;

/** Parses a server name: a DNS name, optionally with a leading `*.`, or an IP address. */
export function serverName(name: string): { type: 'dns' | 'ip'; value: string } | null {
  if (isIP(name) !== 0) return { type: 'ip', value: name };
  return isDnsName(name.replace(/^\*\./, '')) ? { type: 'dns', value: name } : null;
}

export { IssuanceError, type CertificateAndKey, type Issuer } from './sign-certificate.ts';

const { digitalSignature, keyCertSign, cRLSign } = KeyUsageFlags;

const authorityUsage = () => new KeyUsagesExtension(keyCertSign | cRLSign, true);
const leafUsage = () => [
  new BasicConstraintsExtension(false, undefined, true),
  new KeyUsagesExtension(digitalSignature, true),
];

/** Creates the root of a tenant: valid for ten years, with one level of authorities below it. */
export async function createRoot(options: {
  name: string;
  now: number;
}): Promise<CertificateAndKey> {
  const { publicKeyPem, privateKeyPem } = await generateKeyPair();
  const publicKey = importVerifyingKey(publicKeyPem);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: commonName(options.name),
    ...validity(options.now, 3650),
    keys: { privateKey: importSigningKey(privateKeyPem), publicKey },
    signingAlgorithm: signatureAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      authorityUsage(),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return { certificatePem: certificate.toString('pem'), privateKeyPem };
}

/** Issues a device's TLS client certificate: valid for 30 days, with the device id as its name. */
export function issueIdentity(
  root: Issuer,
  request: { csr: CsrFacts; deviceId: string; now: number },
): Promise<string> {
  const device: JsonGeneralName = { type: 'url', value: deviceUri(request.deviceId) };
  return signCertificate(root, {
    commonName: request.deviceId,
    publicKeyPem: request.csr.publicKeyPem,
    now: request.now,
    days: 30,
    extensions: [
      ...leafUsage(),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([device]),
    ],
  });
}

/**
 * Issues the intermediate CA with which a device creates certificates for the hosts that it
 * captures, restricted by name constraints. These cannot permit a host without its subdomains, so
 * subdomains that are catalog hosts themselves and not enabled are excluded. Valid for 30 days.
 *
 * @throws IssuanceError without hosts (no constraint would permit everything), for invalid host
 * names, and for hosts outside the catalog of AI hosts: this is the last check, for every caller
 */
export async function issueIntermediate(
  root: Issuer,
  request: { csr: CsrFacts; deviceId: string; hosts: readonly string[]; now: number },
): Promise<string> {
  if (request.hosts.length === 0)
    throw new IssuanceError(
      'expected at least one host that a device may issue certificates for, found none',
    );

  const bad = request.hosts.find((host) => !isDnsName(host));
  if (bad !== undefined)
    throw new IssuanceError(`expected host names, found ${JSON.stringify(bad)}`);

  const { hosts, refused, unknown } = checkInterceptHosts(request.hosts);
  const barred = [...refused, ...unknown].join(', ');
  if (barred) throw new IssuanceError(`no device may issue certificates for ${barred}`);
  return signCertificate(root, {
    commonName: `${request.deviceId} capture`,
    publicKeyPem: request.csr.publicKeyPem,
    now: request.now,
    days: 30,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      authorityUsage(),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      constrainNames(request.hosts, catalogHostsBelow(hosts)),
    ],
  });
}

/**
 * Issues the certificate of a captured host under a device's authority: valid for six days, for
 * this name only.
 *
 * @throws IssuanceError for invalid host names, including patterns
 */
export function issueLeaf(
  authority: Issuer,
  request: { host: string; publicKeyPem: string; now: number },
): Promise<string> {
  if (!isDnsName(request.host))
    throw new IssuanceError(`expected a host name, found ${JSON.stringify(request.host)}`);

  return signCertificate(authority, {
    commonName: request.host.slice(0, 64),
    publicKeyPem: request.publicKeyPem,
    now: request.now,
    days: 6,
    extensions: [
      ...leafUsage(),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: request.host }]),
    ],
  });
}

/**
 * Issues a certificate and key for one of the control plane's listeners: valid for 90 days, for DNS
 * names and IP addresses.
 */
export async function issueServerCertificate(
  root: Issuer,
  request: { names: readonly string[]; now: number },
): Promise<CertificateAndKey> {
  const names = request.names.map(serverName).filter((name) => name !== null);
  const first = names[0];
  if (first === undefined || names.length < request.names.length)
    throw new IssuanceError('expected DNS names or IP addresses for a server certificate');

  const { publicKeyPem, privateKeyPem } = await generateKeyPair();
  const certificatePem = await signCertificate(root, {
    commonName: first.value.slice(0, 64),
    publicKeyPem,
    now: request.now,
    days: 90,
    extensions: [
      ...leafUsage(),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
    ],
  });
  return { certificatePem, privateKeyPem };
}
