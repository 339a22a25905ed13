import 'reflect-metadata';
import { Extension } from '@peculiar/x509';
import {
  authorityExtensions,
  createCertificate,
  signerExtensions,
  type CertificateOrder,
  type TestCertificate,
} from './certificates.ts';

/** Apple's purposes and markers for Developer ID, as in its certificates. */
const INSTALLER_PURPOSE = '1.2.840.113635.100.4.13';
const CODE_SIGNING_PURPOSE = '1.3.6.1.5.5.7.3.3';
const TIMESTAMP_PURPOSE = '1.3.6.1.5.5.7.3.8';
const AUTHORITY_MARKER = '1.2.840.113635.100.6.2.6';
const APPLICATION_MARKER = '1.2.840.113635.100.6.1.13';
const INSTALLER_MARKER = '1.2.840.113635.100.6.1.14';

type Changes = Partial<CertificateOrder>;

/** A test authority that mimics Apple's, with the same purposes and names but its own keys. */
export interface TestAuthority {
  root: TestCertificate;
  /** Issues all certificates below. */
  authority: TestCertificate;
  /** A Developer ID Installer certificate, with overrides. */
  issueInstaller: (changes?: Changes) => Promise<TestCertificate>;
  /** A Developer ID Application certificate: for programs, not for packages. */
  issueApplication: (changes?: Changes) => Promise<TestCertificate>;
  /** A certificate of a timestamp authority. */
  issueTimestamp: (changes?: Changes) => Promise<TestCertificate>;
}

/** Creates a root and a Developer ID authority. `changes` apply to the latter. */
export async function createTestAuthority(changes: Changes = {}): Promise<TestAuthority> {
  const root = await createCertificate({
    subject: 'CN=Test Root CA, OU=Test Certification Authority, O=Test Inc., C=US',
    extensions: authorityExtensions(),
  });
  const authority = await createCertificate({
    subject: 'CN=Developer ID Certification Authority, OU=Test Certification Authority, C=US',
    issuer: root,
    extensions: [...authorityExtensions(0), marker(AUTHORITY_MARKER, false)],
    ...changes,
  });
  const issue =
    (subject: string, extensions: Extension[]) =>
    (order: Changes = {}) =>
      createCertificate({ subject, issuer: authority, extensions, ...order });
  return {
    root,
    authority,
    issueInstaller: issue(subjectFor('Developer ID Installer'), [
      ...signerExtensions(INSTALLER_PURPOSE),
      marker(INSTALLER_MARKER, true),
    ]),
    issueApplication: issue(subjectFor('Developer ID Application'), [
      ...signerExtensions(CODE_SIGNING_PURPOSE),
      marker(APPLICATION_MARKER, true),
    ]),
    issueTimestamp: issue('CN=Timestamp Signer, C=US', signerExtensions(TIMESTAMP_PURPOSE)),
  };
}

function subjectFor(kind: string): string {
  return `CN=${kind}: Gatehouse Test (GATEHOUSE1), OU=GATEHOUSE1, O=Gatehouse Test, C=US`;
}

/** Creates one of Apple's markers, whose value is NULL: only its presence matters. */
function marker(name: string, critical: boolean): Extension {
  return new Extension(name, critical, Buffer.from('0500', 'hex'));
}
