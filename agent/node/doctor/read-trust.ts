import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import type { TrustFacts } from '#agent/core/doctor/trust.ts';
import { describeCertificate } from '#pki/certificate.ts';
import { parseCertificates } from '../identity/trusted-roots.ts';

export type TrustReading = Pick<
  TrustFacts,
  'os' | 'captures' | 'report' | 'environment' | 'hasSudo'
> & {
  /** PEM */
  roots: readonly string[];
};

export function readTrust({ roots, ...rest }: TrustReading): TrustFacts {
  const file = rest.environment.NODE_EXTRA_CA_CERTS;
  return {
    ...rest,
    roots: roots.map((pem) => {
      const { subject, fingerprint256 } = describeCertificate(pem);
      return { name: subject.replace(/^CN=/, ''), fingerprint256 };
    }),
    systemFingerprints: new Set(fingerprintsOf(getCACertificates('system'))),
    extraFile: file === undefined ? null : { path: file, fingerprints: readFingerprints(file) },
  };
}

const fingerprintsOf = (pems: readonly string[]): string[] =>
  pems.map((pem) => new X509Certificate(pem).fingerprint256);

function readFingerprints(file: string): string[] | null {
  try {
    const found = fingerprintsOf(parseCertificates(readFileSync(file, 'utf8')));
    return found.length > 0 ? found : null;
  } catch {
    return null;
  }
}
