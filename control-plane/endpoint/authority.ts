import type { Credential } from '#pki/issue.ts';
import type { Context } from '../context.ts';
import type { Db } from '../storage/open.ts';
import { findAuthority } from './enrollment/queries.ts';

/** The tenant's root: certificate, and its key in the clear for as long as it is used. */
export async function loadAuthority(
  { secrets }: Pick<Context, 'secrets'>,
  db: Db,
  tenantId: string,
): Promise<Credential> {
  const { certificate, private_key } = await findAuthority(db, tenantId);
  return { certificatePem: certificate, privateKeyPem: secrets.decrypt(private_key) };
}
