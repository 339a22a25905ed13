import { type Certificate, readCertificate } from '#pki/cms/parsed-certificate.ts';
import { InstallerError } from '../../installer-error.ts';

/** The trust anchors for a verification. */
export interface Trust {
  /** Known certificates, which a package need not include. */
  anchors: Certificate[];
  isAnchor: (certificate: Certificate) => boolean;
  /**
   * Whether the anchor is Apple's root. If so, the markers that Gatekeeper checks are required too.
   */
  isApple: boolean;
}

/** "Apple Root CA", until 2035: https://www.apple.com/certificateauthority/ */
export const APPLE_ROOT_FINGERPRINT =
  'B0:B1:73:0E:CB:C7:FF:45:05:14:2C:49:F1:29:5E:6E:DA:6B:CA:ED:7E:2C:68:C5:BE:91:B5:A1:10:01:F0:24';

export const appleTrust: Trust = {
  anchors: [],
  isAnchor: ({ x509 }) => x509.fingerprint256 === APPLE_ROOT_FINGERPRINT,
  isApple: true,
};

/**
 * Trusts exactly the certificates in a PEM text.
 *
 * @throws InstallerError
 */
export function readTrust(pem: string): Trust {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  if (!blocks) throw new InstallerError('expected a certificate as PEM, found something else');
  const anchors = blocks.map((block) =>
    readCertificate(Buffer.from(block.replace(/-----[A-Z ]+-----/g, ''), 'base64')),
  );
  const other = anchors.find(({ x509 }) => !x509.ca);
  if (other) throw new InstallerError(`${other.name} is not a CA certificate`);
  const fingerprints = new Set(anchors.map(({ x509 }) => x509.fingerprint256));
  return { anchors, isAnchor: ({ x509 }) => fingerprints.has(x509.fingerprint256), isApple: false };
}
