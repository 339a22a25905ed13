import type { Context } from '../../context.ts';
import { SESSION_SECONDS } from './open-session.ts';

export const SESSION_COOKIE = 'svc_session';

export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** The lifetime; zero deletes the cookie. */
  seconds: number;
}

/** Formats a cookie that scripts cannot read and that forms of other sites cannot send. */
export function cookieOf({ urls }: Context, { name, value, path, seconds }: Cookie): string {
  const secure = urls.public.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

export const sessionCookie = (context: Context, token: string): string =>
  cookieOf(context, { name: SESSION_COOKIE, value: token, path: '/', seconds: SESSION_SECONDS });

export const noSessionCookie = (context: Context): string =>
  cookieOf(context, { name: SESSION_COOKIE, value: '', path: '/', seconds: 0 });

/** Returns the value of a cookie in a request's `Cookie` header. */
export function readCookie(header: string | undefined, cookieName: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, ...value] = pair.trim().split('=');
    if (name === cookieName) return value.join('=');
  }
  return undefined;
}
