import type { Context } from '../context.ts';
import { findAuthority } from './enrollment/queries.ts';

export interface Authority {
  certificatePem: string;
  privateKeyPem: string;
}

/** The tenant's root: certificate, and its key in the clear for as long as it is used. */
export async function loadAuthority(context: Context, tenantId: string): Promise<Authority> {
  const { certificate, private_key } = await findAuthority(context.storage.db, tenantId);
  return { certificatePem: certificate, privateKeyPem: context.secrets.decrypt(private_key) };
}
