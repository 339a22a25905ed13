import 'reflect-metadata';
import { KeyUsageFlags, KeyUsagesExtension, X509Certificate } from '@peculiar/x509';
import { signEncapsulated } from '#pki/cms/sign.ts';
import { nameOf } from '#pki/identity-chain.ts';
import type { Identity } from '#pki/pkcs12.ts';
import { ProfileError } from './profile-error.ts';

/**
 * Wraps the profile in a CMS signature, as DER. Devices show the profile as "verified" if they
 * trust the certificate.
 *
 * @param now the signing time in milliseconds since 1970
 * @throws ProfileError if the certificate is not valid for signing
 */
export async function signProfile(
  profile: string,
  { key, chain }: Identity,
  now: number,
): Promise<Uint8Array> {
  const [signer] = chain;
  if (signer.ca || !maySign(signer.raw)) {
    const reason = signer.ca ? 'a certificate authority' : 'a key usage without digital signature';
    throw new ProfileError(
      `expected a certificate for digital signatures, found ${nameOf(signer)} with ${reason}`,
    );
  }
  const certificates = chain.map(({ raw }) => raw);
  return signEncapsulated(Buffer.from(profile), { key, chain: certificates, signingTime: now });
}

/**
 * Whether the certificate allows signing. Without a key usage extension it allows every use (RFC
 * 5280).
 */
function maySign(certificate: Uint8Array): boolean {
  const usages = new X509Certificate(Uint8Array.from(certificate)).getExtension(
    KeyUsagesExtension,
  )?.usages;
  return usages === undefined || (usages & KeyUsageFlags.digitalSignature) !== 0;
}
