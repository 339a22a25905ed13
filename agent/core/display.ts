import { looksSecret } from './secret-looking.ts';

export const WITHHELD = '(withheld)';

/** Replaces control and invisible characters with visible escapes. */
const visible = (text: string) =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class
    /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );

/** A name from a user's file, safe to display: printable, short, without credentials. */
export function displayName(name: string): string {
  if (name.trim() === '') return '(unnamed)';
  return looksSecret(name) ? WITHHELD : visible(name.slice(0, 500).toWellFormed());
}

const isIdentifier = (name: string) => /^[\w.-]{1,80}$/.test(name) && !looksSecret(name);

/** Sorted names of variables or headers; anything else is withheld. */
export const displayNames = (names: readonly string[]): string[] =>
  names.map((name) => (isIdentifier(name) ? name : WITHHELD)).toSorted();

/** Scheme, host and port. User, path and parameters may contain credentials. */
export function displayAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || url.hostname === '') return '(unreadable address)';
  const labels = url.hostname.split('.').map((label) => (looksSecret(label) ? WITHHELD : label));
  return `${url.protocol}//${labels.join('.')}${url.port ? `:${url.port}` : ''}`;
}
