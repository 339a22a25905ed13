import { ApiError } from '#contract/errors.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { Issuer } from '#pki/sign-certificate.ts';
import type { Context } from '../context.ts';
import type { Db } from '../storage/open.ts';
import { findAuthority } from './queries.ts';

export interface TenantIssuer extends Issuer {
  id: string;
}

interface StoredAuthority {
  id: string;
  certificate: string;
  private_key: string;
}

/**
 * Loads the tenant's active root: its certificate and decrypted key.
 *
 * @throws ApiError `unavailable` if it has expired
 */
export async function loadAuthority(
  db: Db,
  context: Pick<Context, 'secrets' | 'urls' | 'now'>,
  tenantId: string,
): Promise<TenantIssuer> {
  const authority = await findAuthority(db, tenantId);
  const { notAfter } = describeCertificate(authority.certificate);
  if (notAfter > context.now()) return decryptAuthority(context, authority);
  throw new ApiError(
    'root_expired',
    `the root of this tenant expired on ${new Date(notAfter).toISOString()}: ` +
      'an administrator has to create the next root and activate it',
  );
}

export const decryptAuthority = (
  { secrets, urls }: Pick<Context, 'secrets' | 'urls'>,
  { id, certificate, private_key }: StoredAuthority,
): TenantIssuer => ({
  id,
  certificatePem: certificate,
  privateKeyPem: secrets.decrypt(private_key),
  crlUrl: `${urls.public}/api/svc/v1/endpoint/crl/?authority=${id}`,
});
