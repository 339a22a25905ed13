import type { Context } from '../../context.ts';
import { cookieOf, readCookie, SESSION_COOKIE } from './cookie.ts';
import { SESSION_SECONDS } from './open-session.ts';
import { findValidSession, type ValidSession } from './session-caller.ts';

/** The other sessions of a browser, besides the current one in `SESSION_COOKIE`. */
const HELD_COOKIE = 'svc_held_sessions';
/** Between tokens, whose characters are those of base64url and dots. */
const SEPARATOR = '~';
/** As many as a cookie has room for. */
export const MOST_SESSIONS = 8;

export interface HeldSession {
  token: string;
  session: ValidSession;
  current: boolean;
}

/**
 * The sessions whose tokens the browser's cookies carry, the current one first. Those that have
 * ended are left out: holding a token gives nothing that the session itself does not.
 */
export async function heldSessions(
  context: Context,
  cookies: string | undefined,
): Promise<HeldSession[]> {
  const current = readCookie(cookies, SESSION_COOKIE);
  const others = readCookie(cookies, HELD_COOKIE)?.split(SEPARATOR) ?? [];
  const tokens = [...new Set([current, ...others])].slice(0, MOST_SESSIONS);
  const found = await Promise.all(
    tokens.map(async (token): Promise<HeldSession | undefined> => {
      const session = token ? await findValidSession(context, token, context.now()) : undefined;
      return session && token ? { token, session, current: token === current } : undefined;
    }),
  );
  return found.filter((held) => held !== undefined);
}

/** The cookie with the sessions that the browser holds besides the current one. */
export const heldCookie = (context: Context, others: readonly { token: string }[]): string =>
  cookieOf(context, {
    name: HELD_COOKIE,
    value: others.map(({ token }) => token).join(SEPARATOR),
    path: '/',
    seconds: others.length > 0 ? SESSION_SECONDS : 0,
  });
