import type { Context } from '../../context.ts';
import { writeAudit } from '../../audit/with-audit.ts';
import type { Tx } from '../../storage/transaction.ts';
import { signSessionToken } from './session-token.ts';
import { changeUser } from '../users/user-queries.ts';
import { insertSession } from './session-queries.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
const MAX_AGENT_LENGTH = 300;

export interface SignedInUser {
  tenant_id: string;
  id: string;
  email: string;
}

/** How and from where a user signed in. */
export interface SignInOrigin {
  method: 'password' | 'oidc';
  address: string;
  userAgent: string | undefined;
}

export interface OpenedSession {
  id: string;
  /** Can be used as a cookie and as a bearer token. */
  token: string;
  expiresAt: number;
}

/** Opens a session for an authenticated user, and writes the audit entry. */
export async function openSession(
  tx: Tx,
  context: Context,
  user: SignedInUser,
  { method, address, userAgent = '' }: SignInOrigin,
): Promise<OpenedSession> {
  const now = context.now();
  const of = { tenantId: user.tenant_id, sessionId: context.newId('ses') };
  const expiresAt = now + SESSION_SECONDS * 1000;
  await insertSession(tx, {
    tenant_id: of.tenantId,
    id: of.sessionId,
    user_id: user.id,
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
    method,
    address,
    user_agent: userAgent.slice(0, MAX_AGENT_LENGTH),
    last_seen_at: now,
  });
  await changeUser(tx, user.tenant_id, user.id, { last_sign_in_at: now });
  const actor = { actor_type: 'user', actor_id: user.id, ip: address } as const;
  await writeAudit(tx, context, of.tenantId, actor, {
    action: 'user.sign_in',
    resource_type: 'user',
    resource_id: user.id,
    metadata: { email: user.email, method, session_id: of.sessionId },
  });
  return {
    id: of.sessionId,
    token: signSessionToken(context.secrets, of, expiresAt),
    expiresAt,
  };
}
