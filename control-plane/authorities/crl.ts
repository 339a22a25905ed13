import { createCrl } from '#pki/crl.ts';
import type { Context } from '../context.ts';
import type { Storage } from '../storage/open.ts';
import { unseal } from './device-authority.ts';
import { type findRevoker, listRevoked, nextCrlNumber } from './queries.ts';

const DAY_MS = 86_400_000;
/** Validity of a list, for clients that cannot fetch a newer one. */
const LIFE_MS = 7 * DAY_MS;
/** Maximum age before a list is signed again although nothing was revoked. */
const FRESH_MS = DAY_MS;

type Revoker = NonNullable<Awaited<ReturnType<typeof findRevoker>>>;

interface Made {
  list: Promise<Uint8Array<ArrayBuffer>>;
  revocations: number;
  at: number;
}

const cache = new WeakMap<Storage, Map<string, Made>>();

/** The revocation list of a root, signed again only after a revocation, or daily. */
export function crlOf(context: Context, root: Revoker): Promise<Uint8Array<ArrayBuffer>> {
  const lists = cache.get(context.storage) ?? new Map<string, Made>();
  cache.set(context.storage, lists);
  const cached = lists.get(root.id);
  const at = context.now();
  if (cached && cached.revocations === root.revocations && Math.abs(at - cached.at) < FRESH_MS)
    return cached.list;
  const list = makeCrl(context, root, at);
  lists.set(root.id, { list, revocations: root.revocations, at });
  // Failures are not cached.
  list.catch(() => lists.delete(root.id));
  return list;
}

async function makeCrl(context: Context, root: Revoker, now: number): Made['list'] {
  const { db } = context.storage;
  const revoked = await listRevoked(db, root, now);
  const number = await nextCrlNumber(db, root);
  return createCrl(unseal(context, root), { number, now, life: LIFE_MS, revoked });
}
