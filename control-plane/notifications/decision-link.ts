import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * The decision that a link grants, with the message and the receiver that the link was created for.
 */
export interface DecisionGrant {
  tenant: string;
  approval: string;
  rule: string;
  channel: string;
  /** An email address; empty for other kinds. */
  recipient: string;
  /** When the approval expires, in milliseconds since 1970. */
  expires: number;
}

const granted = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.int()]);

/**
 * Returns the link for a message. Its token is in the fragment, which browsers do not send, so it
 * is in no access log, and a mail scanner that follows the link only requests the page.
 */
export function decisionUrl(key: Uint8Array, base: string, grant: DecisionGrant): string {
  const { tenant, approval, rule, channel, recipient, expires } = grant;
  const facts = JSON.stringify([tenant, approval, rule, channel, recipient, expires]);
  const payload = Buffer.from(facts).toString('base64url');
  const url = new URL('/decide', base);
  url.hash = `${payload}.${signatureOf(key, payload)}`;
  return url.href;
}

/** Returns the decision that a token grants; undefined if the token is not ours or has expired. */
export function readDecisionToken(
  key: Uint8Array,
  token: string,
  now: number,
): DecisionGrant | undefined {
  const [payload = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(key, payload));
  const actual = Buffer.from(signature);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const [tenant, approval, rule, channel, recipient, expires] = granted.parse(
    JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')),
  );
  if (now >= expires) return undefined;
  return { tenant, approval, rule, channel, recipient, expires };
}

const signatureOf = (key: Uint8Array, payload: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url');
