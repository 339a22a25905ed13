import { createHash, verify } from 'node:crypto';
import { digestOf, schemeOf } from './algorithms.ts';
import { type BerNode, octetsOf, oidOf } from './ber.ts';
import { CmsError } from './cms-error.ts';
import type { Certificate } from './parsed-certificate.ts';
import type { SignedData } from './signed-data.ts';
import type { Signer } from './signer-info.ts';

const oids = { contentType: '1.2.840.113549.1.9.3', messageDigest: '1.2.840.113549.1.9.4' };
const KEY_IDENTIFIER = '2.5.29.14';

/**
 * The certificate that the signer refers to.
 *
 * @throws CmsError if it is not included
 */
export function signerOf(
  { issuerAndSerial, keyId }: Signer,
  certificates: readonly Certificate[],
): Certificate {
  const match = certificates.find((certificate) =>
    issuerAndSerial
      ? certificate.issuerAndSerial.equals(issuerAndSerial)
      : keyId !== null && keyIdOf(certificate)?.equals(keyId),
  );
  if (!match) throw new CmsError("does not include its signer's certificate");
  return match;
}

/**
 * Verifies a signer by the steps of RFC 5652, section 5.6: the content by its digest among the
 * signed attributes, and the attributes by the signature. Returns the algorithms.
 *
 * @throws CmsError
 */
export function verifySigner(
  { contentType, signer }: SignedData,
  content: Buffer,
  { x509, name }: Certificate,
): { key: string; digest: string } {
  if (oidOf(attributeOf(signer, oids.contentType)) !== contentType)
    throw new CmsError('the signed content type differs');
  const digest = createHash(digestOf(signer.digestAlgorithm)).update(content).digest();
  if (!octetsOf(attributeOf(signer, oids.messageDigest)).equals(digest))
    throw new CmsError('the signed digest does not match');
  const scheme = schemeOf(signer.signatureAlgorithm, signer.digestAlgorithm);
  if (x509.publicKey.asymmetricKeyType !== scheme.key)
    throw new CmsError(`an ${scheme.key} signature by "${name}", whose key has another type`);
  if (!verify(scheme.digest, signer.signedBytes, x509.publicKey, signer.signature))
    throw new CmsError(`the signature does not match the key of "${name}"`);
  return scheme;
}

/**
 * The value of a signed attribute.
 *
 * @throws CmsError unless it occurs exactly once
 */
export function attributeOf(signer: Signer, type: string): BerNode {
  const attribute = findAttribute(signer, type);
  if (!attribute) throw new CmsError(`lacks the signed attribute ${type}`);
  return attribute;
}

/**
 * The value of a signed attribute, or undefined if it is missing.
 *
 * @throws CmsError if it occurs more than once
 */
export function findAttribute({ attributes }: Signer, type: string): BerNode | undefined {
  const values = attributes.filter((one) => one.type === type).flatMap((one) => one.values);
  if (values.length > 1) throw new CmsError(`has the signed attribute ${type} twice`);
  return values[0];
}

function keyIdOf({ details }: Certificate): Buffer | undefined {
  const value = details.getExtension(KEY_IDENTIFIER)?.value;
  // The value is an octet string of fewer than 128 bytes, so its header has two bytes.
  return value && Buffer.from(value).subarray(2);
}
