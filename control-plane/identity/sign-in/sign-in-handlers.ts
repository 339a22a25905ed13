import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import type { Role } from '#contract/route.ts';
import { withAudit } from '../../audit/changing.ts';
import type { Handlers } from '../../http/handler.ts';
import { offeredProvider } from '../oidc/provider.ts';
import { noSessionCookie, sessionCookie } from '../sessions/cookie.ts';
import { endSession, findSession, findTenantName } from '../sessions/session-queries.ts';
import { isPasswordOld } from '../users/user-rules.ts';
import { signIn } from './sign-in.ts';

type Signing = Pick<typeof identityRoutes, 'listSignInMethods' | 'login' | 'logout' | 'me'>;

export const signInHandlers: Handlers<Signing> = {
  async listSignInMethods(context) {
    const name = await offeredProvider(context);
    const login_url = '/api/v1/auth/oidc/login/';
    return { password: true, oidc: name === null ? null : { name, login_url } };
  },

  async login(context, { body, address, header, setHeader }) {
    const attempt = { ...body, address, userAgent: header('user-agent') };
    const { user, session } = await signIn(context, attempt);
    setHeader('Set-Cookie', sessionCookie(context, session.token));
    const mustChange = isPasswordOld(user, context.now());
    return {
      token: session.token,
      expires_at: session.expiresAt,
      user: sessionView(user, mustChange),
    };
  },

  async logout(context, call) {
    const { caller } = call;
    call.setHeader('Set-Cookie', noSessionCookie(context));
    await withAudit(context, call, async (trx, audit) => {
      if (!(await endSession(trx, caller, context.now())))
        throw new ApiError('conflict', 'only a console session can be signed out');
      await audit({
        action: 'user.sign_out',
        resource_type: 'user',
        resource_id: caller.userId,
        metadata: { session_id: caller.sessionId },
      });
    });
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
