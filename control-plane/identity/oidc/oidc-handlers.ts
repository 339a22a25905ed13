import { ApiError } from '#contract/errors.ts';
import { signInRoutes } from '#contract/sign-in.ts';
import type { Handlers } from '../../handler.ts';
import { sessionCookie } from '../sessions/cookie.ts';
import { browserSessionsCookie } from '../sessions/browser-sessions.ts';
import { openOidcSession } from './open-oidc-session.ts';
import { beginExchange, finishExchange } from './exchange.ts';
import { noPendingCookie, pendingCookie, readPending } from './pending.ts';
import { settingsOf } from './provider.ts';

type Oidc = Pick<typeof signInRoutes, 'startOidcSignIn' | 'finishOidcSignIn'>;

/**
 * Handlers for signing in with the company's own OpenID Connect provider, by authorization code
 * flow with PKCE.
 */
export const oidcHandlers: Handlers<Oidc> = {
  async startOidcSignIn(context, { query, setHeader }) {
    const { url, pending } = await beginExchange(
      context,
      await settingsOf(context, signInRoutes.startOidcSignIn),
      query.return_to,
    );
    setHeader('Set-Cookie', pendingCookie(context, pending));
    return url.href;
  },

  async finishOidcSignIn(context, { url, address, header, setHeader }) {
    const settings = await settingsOf(context, signInRoutes.finishOidcSignIn);
    const pending = readPending(context, header('cookie'));
    // The pending sign-in can be used only once, whatever the outcome.
    setHeader('Set-Cookie', noPendingCookie(context));
    if (!pending)
      throw new ApiError(
        'sign_in_expired',
        'this sign-in was started in another browser or has expired: sign in again',
      );
    const identity = await finishExchange(context, settings, { search: url.search, pending });
    const arrival = { method: 'oidc', address, userAgent: header('user-agent') } as const;
    const session = await openOidcSession(context, settings, identity, arrival);
    setHeader('Set-Cookie', [
      noPendingCookie(context),
      sessionCookie(context, session.token),
      browserSessionsCookie(context, []),
    ]);
    return pending.return_to;
  },
};
