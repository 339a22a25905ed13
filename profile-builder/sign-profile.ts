import 'reflect-metadata';
import { KeyUsageFlags, KeyUsagesExtension, X509Certificate } from '@peculiar/x509';
import { signEncapsulated } from '#pki/cms/sign.ts';
import { nameOf } from '#pki/identity-chain.ts';
import type { Identity } from '#pki/pkcs12.ts';
import { ProfileError } from './profile-error.ts';

/**
 * The profile inside a CMS signature, as DER: what a device shows as "verified" if it trusts the
 * certificate. Throws ProfileError for a certificate that is not made for signing.
 *
 * @param now the time that the signature states, milliseconds since 1970
 */
export async function signProfile(
  profile: string,
  { key, chain }: Identity,
  now: number,
): Promise<Uint8Array> {
  const [signer] = chain;
  if (signer.ca || !maySign(signer.raw)) {
    const found = signer.ca ? 'a certificate authority' : 'a key usage without digital signature';
    throw new ProfileError(
      `expected a certificate for digital signatures, found ${nameOf(signer)} with ${found}`,
    );
  }
  const certificates = chain.map(({ raw }) => raw);
  return signEncapsulated(Buffer.from(profile), { key, chain: certificates, signingTime: now });
}

/** A certificate that says nothing of its key's usage may be used for anything (RFC 5280). */
function maySign(certificate: Uint8Array): boolean {
  const usages = new X509Certificate(Uint8Array.from(certificate)).getExtension(
    KeyUsagesExtension,
  )?.usages;
  return usages === undefined || (usages & KeyUsageFlags.digitalSignature) !== 0;
}
