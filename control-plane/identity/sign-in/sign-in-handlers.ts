import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import type { Role } from '#contract/route.ts';
import { withAudit, writeAudit } from '../../audit/with-audit.ts';
import type { Context } from '../../context.ts';
import type { Handlers } from '../../handler.ts';
import { offeredProvider } from '../oidc/provider.ts';
import { noSessionCookie, readCookie, SESSION_COOKIE, sessionCookie } from '../sessions/cookie.ts';
import { browserSessionsCookie, findBrowserSessions } from '../sessions/browser-sessions.ts';
import type { ValidSession } from '../sessions/session-caller.ts';
import { endSession, findSession, findTenantName } from '../sessions/session-queries.ts';
import { isPasswordOld } from '../users/user-rules.ts';
import { signIn } from './sign-in.ts';

type Signing = Pick<typeof identityRoutes, 'listSignInMethods' | 'login' | 'logout' | 'me'>;

export const signInHandlers: Handlers<Signing> = {
  async listSignInMethods(context, { header }) {
    const name = await offeredProvider(context);
    const login_url = '/api/v1/auth/oidc/login/';
    return {
      password: true,
      oidc: name === null ? null : { name, login_url },
      has_cookie: readCookie(header('cookie'), SESSION_COOKIE) !== undefined,
    };
  },

  async login(context, { body, address, header, setHeader }) {
    const attempt = { ...body, address, userAgent: header('user-agent') };
    const { user, session } = await signIn(context, attempt);
    // Another person may be signing in, so the other sessions of the browser are dropped.
    setHeader('Set-Cookie', [
      sessionCookie(context, session.token),
      browserSessionsCookie(context, []),
    ]);
    const mustChange = isPasswordOld(user, context.now());
    return {
      token: session.token,
      expires_at: session.expiresAt,
      user: sessionView(user, mustChange),
    };
  },

  async logout(context, request) {
    const { caller } = request;
    const held = await findBrowserSessions(context, request.header('cookie'));
    request.setHeader('Set-Cookie', [noSessionCookie(context), browserSessionsCookie(context, [])]);
    await withAudit(context, request, async (tx, audit) => {
      if (!(await endSession(tx, caller, context.now())))
        throw new ApiError('invalid_state', 'only a console session can be signed out');
      audit({
        action: 'user.sign_out',
        resource_type: 'user',
        resource_id: caller.userId,
        metadata: { session_id: caller.sessionId },
      });
    });
    for (const { session } of held) await endAndAuditSession(context, session, request.address);
    return undefined;
  },

  async me(context, { caller }) {
    const { db } = context.storage;
    const session = await findSession(db, caller);
    const mustChange = session?.method === 'password' && isPasswordOld(session, context.now());
    const tenant_name = session?.tenant_name ?? (await findTenantName(db, caller.tenantId));
    const { userId: id, tenantId: tenant_id, email, role } = caller;
    return sessionView({ id, email, role, tenant_id, tenant_name }, mustChange);
  },
};

/**
 * Ends every session of the browser at sign-out, each with an entry in the log of its own tenant.
 */
const endAndAuditSession = (context: Context, session: ValidSession, ip: string): Promise<void> =>
  context.storage.transaction(async (tx) => {
    const { tenant_id: tenantId, user_id: userId, id: sessionId, email } = session;
    if (!(await endSession(tx, { tenantId, userId, sessionId }, context.now()))) return;
    const actor = { actor_type: 'user', actor_id: userId, ip } as const;
    await writeAudit(tx, context, tenantId, actor, {
      action: 'user.sign_out',
      resource_type: 'user',
      resource_id: userId,
      metadata: { email, session_id: sessionId },
    });
  });

interface UserRow {
  id: string;
  email: string;
  role: Role;
  tenant_id: string;
  tenant_name: string;
}

const sessionView = (
  { id, email, role, tenant_id, tenant_name }: UserRow,
  mustChange: boolean,
) => ({
  id,
  email,
  role,
  must_change_password: Number(mustChange),
  tenant: { id: tenant_id, name: tenant_name },
});
