import type { Db } from '../../storage/open.ts';
import type { Identity } from './exchange.ts';

/** Finds candidate users for an OIDC identity: by subject, or else by email. */
export function findCandidates(db: Db, { issuer, subject }: Identity, email: string) {
  return db
    .selectFrom('users')
    .select(['tenant_id', 'id', 'email', 'role', 'disabled', 'oidc_issuer', 'oidc_subject'])
    .where((eb) =>
      eb.or([
        eb('email', '=', email),
        eb.and([eb('oidc_issuer', '=', issuer), eb('oidc_subject', '=', subject)]),
      ]),
    )
    .execute();
}
