import { writeAudit } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import { firstTenant } from '../../tenancy/queries.ts';
import { countListed } from './sign-in-queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
const LISTED_OF_USER = 10;
const LISTED_OF_UNKNOWN = 100;

export interface Failure {
  method: 'password' | 'oidc';
  reason: string;
  /** As it was given. */
  email: string;
  address: string;
  user: { tenant_id: string; id: string } | undefined;
}

/**
 * Tells the audit log of a failed sign-in. One at an account that does not exist goes to the first
 * tenant, whose administrators run the installation. Anybody can fail as often as they like, so
 * in fifteen minutes it lists ten for each user and a hundred for all unknown ones; the last one
 * says so.
 */
export async function listFailure(context: Context, failure: Failure): Promise<void> {
  const { storage } = context;
  const { user, method, reason, address } = failure;
  const tenant_id = user?.tenant_id ?? (await firstTenant(storage.db)).id;
  const since = context.now() - (context.now() % WINDOW_MS);
  const most = user ? LISTED_OF_USER : LISTED_OF_UNKNOWN;
  await storage.db.transaction().execute(async (trx) => {
    const count = await countListed(trx, { tenant_id, subject: user?.id ?? '', since });
    if (count > most) return;
    const actor_id = user?.id ?? 'unknown';
    const actor = { actor_type: 'user', actor_id, ip: address } as const;
    await writeAudit(context, trx, tenant_id, actor, {
      action: 'user.sign_in_failed',
      resource_type: 'user',
      resource_id: actor_id,
      metadata: {
        email: presentable(failure.email),
        method,
        reason,
        ...(count === most && { silent_until: new Date(since + WINDOW_MS).toISOString() }),
      },
    });
  });
}

/** People type their password where the email belongs: what looks like none is not written down. */
const presentable = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email : null;
