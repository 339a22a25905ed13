import { looksSecret } from './secret-looking.ts';

export const WITHHELD = '(withheld)';

/** Control characters and invisible ones are written out, so that a reader sees them. */
const visible = (text: string) =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class
    /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );

/** A name from a user's file, made safe to display: printable, short, no credential. */
export function displayName(name: string): string {
  if (name.trim() === '') return '(unnamed)';
  return looksSecret(name) ? WITHHELD : visible(name.slice(0, 500).toWellFormed());
}

const isIdentifier = (name: string) => /^[\w.-]{1,80}$/.test(name) && !looksSecret(name);

/** Names of variables or headers in order; what is no such name is withheld. */
export const displayNames = (names: readonly string[]): string[] =>
  names.map((name) => (isIdentifier(name) ? name : WITHHELD)).toSorted();

/** Scheme, host and port: user, path and parameters are where addresses carry credentials. */
export function displayAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || url.hostname === '') return '(unreadable address)';
  const labels = url.hostname.split('.').map((label) => (looksSecret(label) ? WITHHELD : label));
  return `${url.protocol}//${labels.join('.')}${url.port ? `:${url.port}` : ''}`;
}
