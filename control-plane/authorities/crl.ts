import { createCrl } from '#pki/crl.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { Context } from '../context.ts';
import type { SignedCrl } from './crl-cache.ts';
import { decryptAuthority } from './device-authority.ts';
import { type findCrlIssuer, listRevoked, nextCrlNumber } from './queries.ts';

/** The validity of a list, for clients that cannot fetch a newer one. */
const CRL_VALIDITY_MS = 7 * DAY_MS;
/** The maximum age before a list is signed again even if there were no revocations. */
const CRL_MAX_AGE_MS = DAY_MS;

type CrlIssuer = NonNullable<Awaited<ReturnType<typeof findCrlIssuer>>>;

/** Returns the revocation list of a root. It is signed again only after a revocation, or daily. */
export function crlOf(context: Context, root: CrlIssuer): SignedCrl['list'] {
  const { crls } = context;
  const cached = crls.get(root.id);
  const at = context.now();
  if (
    cached &&
    cached.revocations === root.revocations &&
    Math.abs(at - cached.at) < CRL_MAX_AGE_MS
  )
    return cached.list;
  const list = makeCrl(context, root, at);
  crls.set(root.id, { list, revocations: root.revocations, at });
  // Failures are not cached.
  list.catch(() => crls.delete(root.id));
  return list;
}

async function makeCrl(context: Context, root: CrlIssuer, now: number): SignedCrl['list'] {
  const { db, transaction } = context.storage;
  const revoked = await listRevoked(db, root, now);
  const number = await transaction((tx) => nextCrlNumber(tx, root));
  return createCrl(decryptAuthority(context, root), {
    number,
    now,
    validityMs: CRL_VALIDITY_MS,
    revoked,
  });
}
