import * as x509 from '@peculiar/x509';
import type { Certificate } from './certificate.ts';

/** Apple's object identifiers: certificate purposes, and issuer markers. */
const apple = {
  developerIdInstaller: '1.2.840.113635.100.4.13',
  installerMark: '1.2.840.113635.100.6.1.14',
  developerIdAuthorityMark: '1.2.840.113635.100.6.2.6',
} as const;
const timeStamping = '1.3.6.1.5.5.7.3.8';

/** Reasons why the certificate may not sign a package. */
export function checkInstallerPurpose({ name, details }: Certificate): string[] {
  const usages = usagesOf(details);
  if (!usages?.usages.includes(apple.developerIdInstaller))
    return [`"${name}" is not a Developer ID Installer certificate`];
  return mayDigitallySign(details) ? [] : [`"${name}" may not sign`];
}

/** Additional requirements of Gatekeeper for a chain to Apple's root. */
export function checkAppleMarks([leaf, authority]: readonly Certificate[]): string[] {
  if (leaf && !leaf.details.getExtension(apple.installerMark))
    return [`"${leaf.name}" lacks Apple's marker for installers`];
  if (authority && !authority.details.getExtension(apple.developerIdAuthorityMark))
    return [`"${authority.name}" lacks Apple's marker for Developer ID`];
  return [];
}

/** RFC 3161: timestamping must be the only purpose of the certificate, and critical. */
export function checkTimestampPurpose({ name, details }: Certificate): string[] {
  const usages = usagesOf(details);
  if (!usages?.critical || usages.usages.length !== 1 || usages.usages[0] !== timeStamping)
    return [`"${name}" is not exclusively for timestamps`];
  return mayDigitallySign(details) ? [] : [`"${name}" may not sign`];
}

const usagesOf = (details: x509.X509Certificate) =>
  details.getExtension(x509.ExtendedKeyUsageExtension);

/** A certificate without a key usage extension allows everything. */
function mayDigitallySign(details: x509.X509Certificate): boolean {
  const usage = details.getExtension(x509.KeyUsagesExtension);
  const allowed = x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation;
  return !usage || (usage.usages & allowed) !== 0;
}
