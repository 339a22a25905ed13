import { ApiError } from '#contract/errors.ts';
import type { identityRoutes } from '#contract/identity.ts';
import type { Handlers } from '../http/call.ts';
import { hashApiKey, newApiKey } from './key-caller.ts';
import { endSession, findUser, insertApiKey, listApiKeys, revokeApiKey } from './queries.ts';
import { SESSION_COOKIE } from './session-caller.ts';
import { signIn } from './sign-in.ts';

export const identityHandlers: Handlers<typeof identityRoutes> = {
  async login(context, { body, address, setHeader }) {
    const session = await signIn(context, { ...body, address });
    const { token, expiresAt, lifetimeSeconds } = session;
    setHeader('Set-Cookie', cookie(token, lifetimeSeconds, context.urls.public));
    return { token, expires_at: expiresAt, user: shown(session.user) };
  },

  async logout(context, { caller, setHeader }) {
    await endSession(context.storage.db, caller, context.now());
    setHeader('Set-Cookie', cookie('', 0, context.urls.public));
    return undefined;
  },

  async me(context, { caller }) {
    const user = await findUser(context.storage.db, caller.tenantId, caller.userId);
    if (!user) throw new ApiError('unauthorized', 'the session has ended: sign in again');
    return shown(user);
  },

  async listApiKeys(context, { caller }) {
    const results = await listApiKeys(context.storage.db, caller.tenantId);
    return { results, count: results.length };
  },

  async createApiKey(context, { caller, body }) {
    const key = newApiKey();
    const record = {
      tenant_id: caller.tenantId,
      id: context.newId('key'),
      name: body.name,
      hash: hashApiKey(key),
      permissions: JSON.stringify(body.permissions),
      profile_hosts: null,
      created_at: context.now(),
      last_used_at: null,
      expires_at: body.expires_at ?? null,
      revoked_at: null,
    };
    await insertApiKey(context.storage.db, record);
    return { ...record, key };
  },

  async revokeApiKey(context, { caller, params }) {
    const known = await revokeApiKey(context.storage.db, caller.tenantId, params.id, context.now());
    if (!known) throw new ApiError('not_found', `there is no API key ${params.id}`);
    context.storage.signals.publish({ tenant_id: caller.tenantId, topic: 'keys' });
    return undefined;
  },
};

interface UserRow {
  id: string;
  email: string;
  role: 'viewer' | 'analyst' | 'admin' | 'owner';
  tenant_id: string;
  tenant_name: string;
}

const shown = ({ id, email, role, tenant_id, tenant_name }: UserRow) => ({
  id,
  email,
  role,
  tenant: { id: tenant_id, name: tenant_name },
});

function cookie(token: string, maxAge: number, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}
