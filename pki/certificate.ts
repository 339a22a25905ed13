import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { X509Certificate } from 'node:crypto';
import { readDeviceUri } from './device-uri.ts';
import { permittedHosts } from './name-constraints.ts';

export interface CertificateFacts {
  /** Upper-case hexadecimal, the format in which Node returns the serial of a TLS peer. */
  serial: string;
  subject: string;
  /** Milliseconds since 1970. */
  notBefore: number;
  notAfter: number;
  /** SHA-256 as `AB:CD:…`, the format of Node. */
  fingerprint256: string;
  deviceId: string | null;
  permittedHosts: string[];
}

/** @throws Error with a one-line message unless the text contains a PEM certificate */
export function describeCertificate(pem: string): CertificateFacts {
  const { certificate, details } = parseCertificate(pem);
  return {
    serial: certificate.serialNumber,
    subject: details.subject,
    notBefore: details.notBefore.getTime(),
    notAfter: details.notAfter.getTime(),
    fingerprint256: certificate.fingerprint256,
    deviceId: deviceOf(details),
    permittedHosts: permittedHosts(details),
  };
}

function parseCertificate(pem: string) {
  try {
    const certificate = new X509Certificate(pem);
    return { certificate, details: new x509.X509Certificate(certificate.raw) };
  } catch {
    throw new Error('certificate: expected a PEM block "CERTIFICATE", found something else');
  }
}

function deviceOf(details: x509.X509Certificate): string | null {
  const names = details.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
  const ids = names.filter(({ type }) => type === 'url').map(({ value }) => readDeviceUri(value));
  return ids.find((id) => id !== null) ?? null;
}
