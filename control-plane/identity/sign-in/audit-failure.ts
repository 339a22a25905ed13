import { writeAudit } from '../../audit/with-audit.ts';
import type { Context } from '../../context.ts';
import { firstTenant } from '../../tenants/queries.ts';
import { countAuditedFailure } from './sign-in-queries.ts';

const WINDOW_MS = 15 * 60 * 1000;
const LISTED_OF_USER = 10;
const LISTED_OF_UNKNOWN = 100;

export interface Failure {
  method: 'password' | 'oidc';
  reason: string;
  /** The email as entered. */
  email: string;
  address: string;
  user: { tenant_id: string; id: string } | undefined;
}

/**
 * Audits a failed sign-in. Attempts at unknown accounts are logged in the first tenant, whose
 * administrators run the installation. The number of failures is unlimited, so within fifteen
 * minutes at most ten per user and a hundred for all unknown accounts are logged, and the last one
 * says so.
 */
export async function auditFailure(context: Context, failure: Failure): Promise<void> {
  const { storage } = context;
  const { user, method, reason, address } = failure;
  const tenant_id = user?.tenant_id ?? (await firstTenant(storage.db)).id;
  const since = context.now() - (context.now() % WINDOW_MS);
  const limit = user ? LISTED_OF_USER : LISTED_OF_UNKNOWN;
  await storage.transaction(async (tx) => {
    const count = await countAuditedFailure(tx, { tenant_id, subject: user?.id ?? '', since });
    if (count > limit) return;
    const actor_id = user?.id ?? 'unknown';
    const actor = { actor_type: 'user', actor_id, ip: address } as const;
    await writeAudit(tx, context, tenant_id, actor, {
      action: 'user.sign_in_failed',
      resource_type: 'user',
      resource_id: actor_id,
      metadata: {
        email: emailForLog(failure.email),
        method,
        reason,
        ...(count === limit && { silent_until: new Date(since + WINDOW_MS).toISOString() }),
      },
    });
  });
}

/**
 * Returns the entered email if it looks like one. Users sometimes type their password into the
 * email field, so other values are not logged.
 */
const emailForLog = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email : null;
