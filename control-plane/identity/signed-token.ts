import { createHmac, timingSafeEqual } from 'node:crypto';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The only header that is signed or accepted, so that a token cannot choose its algorithm. */
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

const signatureOf = (content: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(content).digest('base64url');

/** The claims of a token. `exp` is in seconds since 1970. */
type Claims<C extends object> = C & { exp: number };

/**
 * Signs a JWT with HMAC-SHA256. Every signed-in request verifies one, so both directions are
 * synchronous: they take microseconds, while WebCrypto would queue them in Node's thread pool
 * behind compression and file reads.
 */
export function signToken<C extends object>(key: Uint8Array, claims: Claims<C>): string {
  const content = `${HEADER}.${encode(claims)}`;
  return `${content}.${signatureOf(content, key)}`;
}

/** Reads a token; null if it was not signed with this key or expired before `at`. */
export function readToken<C extends object>(
  key: Uint8Array,
  token: string,
  at: number,
): Claims<C> | null {
  const [header, body, signature, ...more] = token.split('.');
  if (header !== HEADER || !body || !signature || more.length > 0) return null;
  if (!isSame(signature, signatureOf(`${header}.${body}`, key))) return null;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims<C>;
  return claims.exp * 1000 > at ? claims : null;
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
