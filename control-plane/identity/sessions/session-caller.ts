import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract/errors.ts';
import type { Access } from '#contract/route.ts';
import type { Credential, SessionCaller } from '../../http/caller.ts';
import type { Context } from '../../context.ts';
import { includesRole, roleFor } from '../permission-rules.ts';
import { CLOCK_SKEW_MS, readSessionToken } from './session-token.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import { findSession, touchSession } from './session-queries.ts';
import { isPasswordOld } from '../users/user-rules.ts';

const TOUCH_EVERY_MS = 60_000;

/** @throws ApiError `unauthorized`, or `forbidden` for a request from another site */
export async function credentialOfSession(
  context: Context,
  request: IncomingMessage,
): Promise<Credential<SessionCaller>> {
  const now = context.now();
  const session = await sessionOf(context, request, now);
  const caller = {
    tenantId: session.tenant_id,
    sessionId: session.id,
    userId: session.user_id,
    email: session.email,
    role: session.role,
  };
  return {
    tenantId: session.tenant_id,
    isSession: true,
    async callerOf(access) {
      refuseWeak(session, access, now);
      if ((session.last_seen_at ?? 0) < now - TOUCH_EVERY_MS)
        await context.storage.transaction((tx) => touchSession(tx, caller, now));
      return caller;
    },
  };
}

export type ValidSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

function refuseWeak(session: ValidSession, access: Access, now: number): void {
  const weakest = roleFor(access);
  if (!includesRole(session.role, weakest))
    throw new ApiError('missing_permission', `this requires the role "${weakest}" or a higher one`);
  if (!access.allowsExpiredPassword && session.method === 'password' && isPasswordOld(session, now))
    throw new ApiError(
      'password_change_required',
      'change your password first: POST /api/v1/auth/password/',
    );
}

/** @throws ApiError `unauthorized`, the same whatever is wrong with the token */
async function sessionOf(context: Context, request: IncomingMessage, now: number) {
  const token = tokenOf(request);
  if (!token) throw new ApiError('missing_credentials', 'sign in first');
  if (token.from === 'cookie') requireSameOrigin(context, request);
  const session = await findValidSession(context, token.value, now);
  if (!session) throw new ApiError('session_ended', 'the session has ended: sign in again');
  return session;
}

/** Finds the session of a token; undefined if it has ended or its user is disabled. */
export async function findValidSession(
  context: Context,
  token: string,
  now: number,
): Promise<ValidSession | undefined> {
  const claims = readSessionToken(context.secrets, token, now);
  const session = claims && (await findSession(context.storage.db, claims));
  if (!session || session.revoked_at !== null || session.disabled || isOver(session, now))
    return undefined;
  return session;
}

function tokenOf(request: IncomingMessage): { value: string; from: 'bearer' | 'cookie' } | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer) return { value: bearer, from: 'bearer' };
  const cookie = readCookie(request.headers.cookie, SESSION_COOKIE);
  return cookie === undefined ? null : { value: cookie, from: 'cookie' };
}

/** Whether a session has expired. Clocks of processes that share a database may differ. */
const isOver = ({ expires_at }: { expires_at: number }, now: number): boolean =>
  expires_at + CLOCK_SKEW_MS <= now;

/**
 * Refuses requests from pages of other sites, which could use the cookies that browsers send
 * automatically. Reads are harmless, because the other site cannot see the response. A WebSocket is
 * opened by GET, but another site could read from it, so it is checked too.
 */
function requireSameOrigin(context: Context, request: IncomingMessage): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && !request.headers.upgrade) return;
  if (!request.headers.origin || isCrossOrigin(context, request))
    throw new ApiError(
      'csrf_rejected',
      'cross-origin request refused: the session cookie is accepted from the console only',
    );
}

/** Whether the browser's headers say that the request comes from a page of another site. */
export function isCrossOrigin(context: Context, { headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const ours = [new URL(context.urls.public).origin, `http://${host}`, `https://${host}`];
  return origin !== undefined && !ours.includes(origin);
}
