import { ApiError } from '#contract/errors.ts';
import { signInRoutes } from '#contract/sign-in.ts';
import { authorize, isSuspended } from '../../tenants/authorize.ts';
import type { Handlers } from '../../handler.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { sessionCookie } from './cookie.ts';
import {
  browserSessionsCookie,
  findBrowserSessions,
  MAX_BROWSER_SESSIONS,
  type BrowserSession,
} from './browser-sessions.ts';

type OfBrowser = Pick<
  typeof signInRoutes,
  'listBrowserSessions' | 'addBrowserSession' | 'switchBrowserSession'
>;

/**
 * Handlers for the sessions of several accounts in one browser, one of which is used at a time.
 * Each was opened by signing in, and none has access to another.
 */
export const browserSessionHandlers: Handlers<OfBrowser> = {
  async listBrowserSessions(context, { header }) {
    const held = await findBrowserSessions(context, header('cookie'));
    const results = await Promise.all(
      held.map(async (one) => view(one, await isSuspended(context, one.session.tenant_id))),
    );
    return { results, count: held.length };
  },

  async addBrowserSession(context, { body, address, header, setHeader }) {
    const held = await findBrowserSessions(context, header('cookie'));
    if (held.length >= MAX_BROWSER_SESSIONS)
      throw new ApiError(
        'invalid_state',
        `this browser is signed in to ${MAX_BROWSER_SESSIONS} accounts, the maximum: sign out first`,
      );
    const attempt = { ...body, address, userAgent: header('user-agent') };
    const { user, session } = await signIn(context, attempt).catch(refuseWithoutSignOut);
    // An account that signs in again replaces its earlier session in this browser.
    const others = held.filter((one) => one.session.user_id !== user.id);
    setHeader('Set-Cookie', [
      sessionCookie(context, session.token),
      browserSessionsCookie(context, others),
    ]);
    return {
      id: session.id,
      email: user.email,
      role: user.role,
      tenant: { id: user.tenant_id, name: user.tenant_name, suspended: false },
      expires_at: session.expiresAt,
      current: true,
    };
  },

  async switchBrowserSession(context, { body, header, setHeader }) {
    const held = await findBrowserSessions(context, header('cookie'));
    const chosen = held.find(({ session }) => session.id === body.session_id);
    if (!chosen) throw new ApiError('not_found', `this browser has no session ${body.session_id}`);
    const { session, token } = chosen;
    // A suspended tenant is refused here, where the user can still choose another one.
    const credential = { tenantId: session.tenant_id, callerOf: () => session };
    await authorize(context, credential, signInRoutes.me);
    const others = held.filter((one) => one !== chosen);
    setHeader('Set-Cookie', [
      sessionCookie(context, token),
      browserSessionsCookie(context, others),
    ]);
    return view({ ...chosen, current: true }, false);
  },
};

/** Refuses without the status 401, which would mean that the session of the request has ended. */
function refuseWithoutSignOut(error: unknown): never {
  if (error instanceof ApiError && error.reason === 'invalid_credentials')
    throw new ApiError('wrong_password', error.message);
  throw error;
}

const view = ({ session, current }: BrowserSession, suspended: boolean) => ({
  id: session.id,
  email: session.email,
  role: session.role,
  tenant: { id: session.tenant_id, name: session.tenant_name, suspended },
  expires_at: session.expires_at,
  current,
});
