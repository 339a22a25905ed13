import { X509Certificate } from 'node:crypto';
import type { DeviceConfig, Enrollment } from '#contract/device-protocol.ts';
import { isRefusedHost, normalizeHost } from '#domain/hosts/host-catalog.ts';
import type { CertificateFacts } from '#pki/certificate.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { isCertificateForKey } from './credentials.ts';

export interface IssueExpectation {
  identityPublicKeyPem: string;
  intermediatePublicKeyPem: string;
  /** The id of this device; null while it has none. */
  deviceId: string | null;
  /** ms */
  now: number;
}

/**
 * Returns the hosts for which the control plane lets this device issue certificates, in a fixed
 * order.
 */
export function captureHosts(config: DeviceConfig): string[] {
  if (!config.capture_enabled) return [];
  return [...new Set(config.intercept_hosts.map(normalizeHost))].sort();
}

export function areSameHosts(one: readonly string[], other: readonly string[]): boolean {
  const normalizedNames = (hosts: readonly string[]): string =>
    [...hosts].map(normalizeHost).sort().join();
  return normalizedNames(one) === normalizedNames(other);
}

/** Returns whether the permitted hosts include all of these. */
export const permitsHosts = (permitted: readonly string[], hosts: readonly string[]): boolean => {
  const names = new Set(permitted.map(normalizeHost));
  return hosts.every((host) => names.has(normalizeHost(host)));
};

/**
 * Checks that the response matches the request. A device must not use a certificate for another key
 * or id, nor an authority over other hosts than its configuration names. Returns the mismatch in
 * one line, or null.
 */
export function checkIssued(issued: Enrollment, expected: IssueExpectation): string | null {
  try {
    const root = new X509Certificate(issued.root_certificate);
    const others = issued.root_certificates.map((pem) => new X509Certificate(pem));
    if (![root, ...others].every(({ ca }) => ca))
      return 'root certificate: not a certificate authority';
    return checkIdentity(issued, root, expected) ?? checkIntermediate(issued, root, expected);
  } catch {
    return 'expected certificates as PEM, got something else';
  }
}

function checkIdentity(
  issued: Enrollment,
  root: X509Certificate,
  { identityPublicKeyPem, deviceId, now }: IssueExpectation,
): string | null {
  const pem = issued.identity_certificate;
  const facts = describeCertificate(pem);
  if (!isCertificateForKey(pem, identityPublicKeyPem))
    return 'identity certificate: for another key';
  if (facts.deviceId !== issued.device_id)
    return `identity certificate: for device ${facts.deviceId}, the answer says ${issued.device_id}`;

  if (deviceId !== null && facts.deviceId !== deviceId)
    return `identity certificate: for device ${facts.deviceId}, this is ${deviceId}`;

  return checkSignature('identity certificate', pem, facts, root, now);
}

function checkIntermediate(
  issued: Enrollment,
  root: X509Certificate,
  { intermediatePublicKeyPem, now }: IssueExpectation,
): string | null {
  const pem = issued.intermediate_certificate;
  const hosts = captureHosts(issued.config);
  if (pem === null)
    return hosts.length === 0
      ? null
      : `intermediate: missing, though capture is on for ${hosts.join(', ')}`;

  const facts = describeCertificate(pem);
  if (!isCertificateForKey(pem, intermediatePublicKeyPem)) return 'intermediate: for another key';
  const refused = facts.permittedHosts.filter(isRefusedHost);
  if (refused.length > 0) return `intermediate: permits ${refused.join(', ')}, which is never done`;
  if (!areSameHosts(facts.permittedHosts, hosts)) {
    const formatHosts = (list: readonly string[]): string => list.join(', ') || 'no host';
    return `intermediate: permits ${formatHosts(facts.permittedHosts)}, the configuration ${formatHosts(hosts)}`;
  }
  return checkSignature('intermediate', pem, facts, root, now);
}

function checkSignature(
  label: string,
  pem: string,
  { notBefore, notAfter }: CertificateFacts,
  root: X509Certificate,
  now: number,
): string | null {
  const certificate = new X509Certificate(pem);
  if (!certificate.checkIssued(root) || !certificate.verify(root.publicKey))
    return `${label}: not signed by the root certificate in the answer`;

  if (notAfter <= now) return `${label}: expired on ${new Date(notAfter).toISOString()}`;
  if (notBefore > now) return `${label}: valid only from ${new Date(notBefore).toISOString()} on`;
  return null;
}
