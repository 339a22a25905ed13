import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import { type Role, roles } from '#contract/route.ts';
import type { Context } from '../context.ts';
import type { SessionCaller } from '../http/call.ts';
import { findSession } from './queries.ts';
import { readSessionToken } from './session-token.ts';

export const SESSION_COOKIE = 'svc_session';

/** @throws ApiError `unauthorized` or `forbidden` */
export async function callerOfSession(
  context: Context,
  request: IncomingMessage,
  weakest: Role,
): Promise<SessionCaller> {
  const token = tokenOf(request);
  if (!token) throw new ApiError('unauthorized', 'sign in first');
  if (token.from === 'cookie') requireSameOrigin(context, request);
  const claims = await readSessionToken(context.secrets, token.value, context.now());
  const session = claims && (await findSession(context.storage.db, claims));
  if (!session || session.revoked_at !== null || session.expires_at <= context.now())
    throw new ApiError('unauthorized', 'the session has ended: sign in again');
  if (roles.indexOf(session.role) < roles.indexOf(weakest))
    throw new ApiError('forbidden', `this needs the role "${weakest}" or a stronger one`);
  return {
    tenantId: session.tenant_id,
    sessionId: session.id,
    userId: session.user_id,
    email: session.email,
    role: session.role,
  };
}

function tokenOf(request: IncomingMessage): { value: string; from: 'bearer' | 'cookie' } | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer) return { value: bearer, from: 'bearer' };
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, ...rest] = pair.trim().split('=');
    if (name === SESSION_COOKIE) return { value: rest.join('='), from: 'cookie' };
  }
  return null;
}

/**
 * A cookie is sent by the browser on its own, so another site's page could use it. Reading is
 * harmless (the other site never sees the answer), all else must come from our own pages. That
 * a WebSocket is opened by GET makes it no less a thing another site could read.
 */
function requireSameOrigin(context: Context, request: IncomingMessage): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && !request.headers.upgrade) return;
  if (!request.headers.origin || isForeign(context, request))
    throw new ApiError('forbidden', 'a request with the session cookie must come from the console');
}

/** Does a browser say that another site's page sends this? */
export function isForeign(context: Context, { headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const ours = [new URL(context.urls.public).origin, `http://${host}`, `https://${host}`];
  return origin !== undefined && !ours.includes(origin);
}
