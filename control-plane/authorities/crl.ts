import { createCrl } from '#pki/crl.ts';
import type { Context } from '../context.ts';
import type { Storage } from '../storage/open.ts';
import { unseal } from './device-authority.ts';
import { type findRevoker, listRevoked, nextCrlNumber } from './queries.ts';

const DAY_MS = 86_400_000;
/** For how long a list may be relied on by whoever cannot get another one. */
const LIFE_MS = 7 * DAY_MS;
/** A list that is older is made anew, though nothing was revoked. */
const FRESH_MS = DAY_MS;

type Revoker = NonNullable<Awaited<ReturnType<typeof findRevoker>>>;

interface Made {
  list: Promise<Uint8Array<ArrayBuffer>>;
  revocations: number;
  at: number;
}

const made = new WeakMap<Storage, Map<string, Made>>();

/** What a root has revoked, by a list that is signed anew only when that has changed, or daily. */
export function crlOf(context: Context, root: Revoker): Promise<Uint8Array<ArrayBuffer>> {
  const lists = made.get(context.storage) ?? new Map<string, Made>();
  made.set(context.storage, lists);
  const known = lists.get(root.id);
  const at = context.now();
  if (known && known.revocations === root.revocations && Math.abs(at - known.at) < FRESH_MS)
    return known.list;
  const list = makeCrl(context, root, at);
  lists.set(root.id, { list, revocations: root.revocations, at });
  // What failed once must not be remembered.
  list.catch(() => lists.delete(root.id));
  return list;
}

async function makeCrl(context: Context, root: Revoker, now: number): Made['list'] {
  const { db } = context.storage;
  const revoked = await listRevoked(db, root, now);
  const number = await nextCrlNumber(db, root);
  return createCrl(unseal(context, root), { number, now, life: LIFE_MS, revoked });
}
