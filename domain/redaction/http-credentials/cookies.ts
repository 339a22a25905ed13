import { isSecretValue } from '../named-secrets/secret-value.ts';

/** A cookie (RFC 6265, 4.1.1). Quotes are left out: they end a header within a command or JSON. */
const pair = String.raw`[!#$%&*+.^_|~\w-]{1,128}=[^\s;,"'\\]{0,1000}`;
const attribute = String.raw`; ?[^\s;,"'\\=]{1,128}(?:=[^\s;,"'\\]{0,1000})?`;

/** The source of a pattern for the cookies of a header. */
export const cookies = `${pair}(?:${attribute}){0,60}`;
/** The rest of a header: more cookies, and the date of `Expires`, which contains a comma. */
export const moreCookies = new RegExp(
  String.raw`${attribute}|[^\s;,"'\\]{1,1000}|, \d\d[ -][A-Za-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT`,
  'y',
);

const wholeValue = new RegExp(`^\\s?${cookies}`);
/** Attributes of `Set-Cookie` (RFC 6265, 4.1.1 and RFC 6265bis). */
const attributeName = /^(?:expires|max-age|domain|path|samesite|version|comment|priority)$/i;

/** Whether one of the cookies has a value like a session's, unlike `theme=dark`. */
export const hasSecretCookie = (text: string): boolean =>
  text.split(';').some((one) => {
    const [name = '', ...value] = one.trim().split('=');
    const notation = { isQuoted: true, isUnspaced: true };
    return !attributeName.test(name) && isSecretValue('secret', value.join('='), notation);
  });

const CLASSIFIED_LENGTH = 4000;

/** Whether a member `cookie`, or a cookie in a list, holds a session. */
export function isCookieValue(value: string): boolean {
  const text = value.slice(0, CLASSIFIED_LENGTH);
  if (wholeValue.test(text)) return hasSecretCookie(text);
  return isSecretValue('secret', text, { isQuoted: true, isUnspaced: true });
}
