import type { Issuer } from '#pki/issue.ts';
import type { Context } from '../context.ts';
import type { Db } from '../storage/open.ts';
import { findAuthority } from './enrollment/queries.ts';

export interface TenantIssuer extends Issuer {
  id: string;
}

interface StoredAuthority {
  id: string;
  certificate: string;
  private_key: string;
}

/** The tenant's root of today: certificate, and its key in the clear for as long as it is used. */
export async function loadAuthority(
  context: Pick<Context, 'secrets' | 'urls'>,
  db: Db,
  tenantId: string,
): Promise<TenantIssuer> {
  return unseal(context, await findAuthority(db, tenantId));
}

export const unseal = (
  { secrets, urls }: Pick<Context, 'secrets' | 'urls'>,
  { id, certificate, private_key }: StoredAuthority,
): TenantIssuer => ({
  id,
  certificatePem: certificate,
  privateKeyPem: secrets.decrypt(private_key),
  crlUrl: `${urls.public}/api/svc/v1/endpoint/crl/?authority=${id}`,
});
