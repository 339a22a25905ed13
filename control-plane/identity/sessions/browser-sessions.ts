import type { Context } from '../../context.ts';
import { cookieOf, readCookie, SESSION_COOKIE } from './cookie.ts';
import { SESSION_SECONDS } from './open-session.ts';
import { findValidSession, type ValidSession } from './session-caller.ts';

/** The cookie with the other sessions of a browser. The current one is in `SESSION_COOKIE`. */
const HELD_COOKIE = 'svc_held_sessions';
/** Separates tokens, which only contain the characters of base64url and dots. */
const SEPARATOR = '~';
/** The number of sessions that fit into a cookie. */
export const MAX_BROWSER_SESSIONS = 8;

export interface BrowserSession {
  token: string;
  session: ValidSession;
  current: boolean;
}

/**
 * Returns the sessions whose tokens are in the browser's cookies, the current one first. Sessions
 * that have ended are omitted. A token grants only access to its own session.
 */
export async function findBrowserSessions(
  context: Context,
  cookies: string | undefined,
): Promise<BrowserSession[]> {
  const current = readCookie(cookies, SESSION_COOKIE);
  const others = readCookie(cookies, HELD_COOKIE)?.split(SEPARATOR) ?? [];
  const tokens = [...new Set([current, ...others])].slice(0, MAX_BROWSER_SESSIONS);
  const found = await Promise.all(
    tokens.map(async (token): Promise<BrowserSession | undefined> => {
      const session = token ? await findValidSession(context, token, context.now()) : undefined;
      return session && token ? { token, session, current: token === current } : undefined;
    }),
  );
  return found.filter((held) => held !== undefined);
}

/** Returns the cookie with the sessions of the browser other than the current one. */
export const browserSessionsCookie = (
  context: Context,
  others: readonly { token: string }[],
): string =>
  cookieOf(context, {
    name: HELD_COOKIE,
    value: others.map(({ token }) => token).join(SEPARATOR),
    path: '/',
    seconds: others.length > 0 ? SESSION_SECONDS : 0,
  });
