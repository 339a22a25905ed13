import type { Context } from '../../context.ts';
import { writeAudit } from '../../audit/changing.ts';
import type { Trx } from '../../storage/open.ts';
import { signSessionToken } from './session-token.ts';
import { changeUser } from '../users/user-queries.ts';
import { insertSession } from './session-queries.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
const LONGEST_AGENT = 300;

export interface SignedInUser {
  tenant_id: string;
  id: string;
  email: string;
}

/** How and from where a user signed in. */
export interface Arrival {
  method: 'password' | 'oidc';
  address: string;
  userAgent: string | undefined;
}

export interface OpenedSession {
  /** Usable as cookie and as bearer token. */
  token: string;
  expiresAt: number;
}

/** Opens a session for an authenticated user, and writes the audit entry. */
export async function openSession(
  context: Context,
  trx: Trx,
  user: SignedInUser,
  { method, address, userAgent = '' }: Arrival,
): Promise<OpenedSession> {
  const now = context.now();
  const of = { tenantId: user.tenant_id, sessionId: context.newId('ses') };
  const expiresAt = now + SESSION_SECONDS * 1000;
  await insertSession(trx, {
    tenant_id: of.tenantId,
    id: of.sessionId,
    user_id: user.id,
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
    method,
    address,
    user_agent: userAgent.slice(0, LONGEST_AGENT),
    last_seen_at: now,
  });
  await changeUser(trx, user.tenant_id, user.id, { last_sign_in_at: now });
  const actor = { actor_type: 'user', actor_id: user.id, ip: address } as const;
  await writeAudit(context, trx, of.tenantId, actor, {
    action: 'user.sign_in',
    resource_type: 'user',
    resource_id: user.id,
    metadata: { email: user.email, method, session_id: of.sessionId },
  });
  return { token: signSessionToken(context.secrets, of, expiresAt), expiresAt };
}
