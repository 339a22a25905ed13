import { createHash, verify } from 'node:crypto';
import { InstallerError } from '../../installer-error.ts';
import { digestOf, schemeOf } from './algorithms.ts';
import { type BerNode, octetsOf, oidOf } from './ber.ts';
import type { Certificate } from './certificate.ts';
import type { SignedData } from './signed-data.ts';
import type { Signer } from './signer-info.ts';

const oids = { contentType: '1.2.840.113549.1.9.3', messageDigest: '1.2.840.113549.1.9.4' };
const keyIdentifier = '2.5.29.14';

/** The certificate that the signer names. Throws InstallerError where it is not among them. */
export function signerOf(
  { issuerAndSerial, keyId }: Signer,
  certificates: readonly Certificate[],
): Certificate {
  const found = certificates.find((certificate) =>
    issuerAndSerial
      ? certificate.issuerAndSerial.equals(issuerAndSerial)
      : keyId !== null && keyIdOf(certificate)?.equals(keyId),
  );
  if (!found) throw new InstallerError("does not hold its signer's certificate");
  return found;
}

/**
 * Verifies what a signer signed, step by step as RFC 5652 section 5.6 has it: the content by its
 * digest among the signed attributes, the attributes by the signature. Answers which algorithms it
 * took. Throws InstallerError.
 */
export function verifySigner(
  { contentType, signer }: SignedData,
  content: Buffer,
  { x509, name }: Certificate,
): { key: string; digest: string } {
  if (oidOf(attributeOf(signer, oids.contentType)) !== contentType)
    throw new InstallerError('the signed type of content is another');
  const digest = createHash(digestOf(signer.digestAlgorithm)).update(content).digest();
  if (!octetsOf(attributeOf(signer, oids.messageDigest)).equals(digest))
    throw new InstallerError('the signed digest is that of something else');
  const scheme = schemeOf(signer.signatureAlgorithm, signer.digestAlgorithm);
  if (x509.publicKey.asymmetricKeyType !== scheme.key)
    throw new InstallerError(`an ${scheme.key} signature by "${name}", which has another key`);
  if (!verify(scheme.digest, signer.signedBytes, x509.publicKey, signer.signature))
    throw new InstallerError(`the signature is not that of "${name}"`);
  return scheme;
}

/** The value of a signed attribute. Throws InstallerError unless there is one of it. */
export function attributeOf(signer: Signer, type: string): BerNode {
  const found = findAttribute(signer, type);
  if (!found) throw new InstallerError(`lacks the signed attribute ${type}`);
  return found;
}

/** Undefined where it is missing. Throws InstallerError where there are several. */
export function findAttribute({ attributes }: Signer, type: string): BerNode | undefined {
  const values = attributes.filter((one) => one.type === type).flatMap((one) => one.values);
  if (values.length > 1) throw new InstallerError(`has the signed attribute ${type} twice`);
  return values[0];
}

function keyIdOf({ details }: Certificate): Buffer | undefined {
  const value = details.getExtension(keyIdentifier)?.value;
  // The value is an octet string of less than 128 bytes, so that its header has two.
  return value && Buffer.from(value).subarray(2);
}
