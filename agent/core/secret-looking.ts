/** Prefixes that services give their keys, so that leaked ones can be found. */
const knownKey =
  /(?<![A-Za-z0-9])(sk-[\w-]{12,}|[spr]k_(live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|A(KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|hf_\w{20,}|npm_\w{30,}|pypi-[\w-]{30,}|dckr_pat_[\w-]{20,}|svc_s[ku]_\w{8,}|lin_api_\w{16,}|ntn_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}|-----BEGIN )/;

const secretName =
  /(^|[^a-z])(api[-_]?key|apikey|access[-_]?key|private[-_]?key|key|token|secret|passw(or)?d|passwd|pwd|credentials?|authorization|auth|bearer|cookie|dsn|pat)($|[^a-z])/i;

const reference =
  /^(bearer |basic |token )?(\$\w+|\$\{[^}]*\}|\$\([^)]*\)|%\w+%|\{\{[^}]*\}\}|<[^>]*>|op:\/\/.+)$/i;
const placeholder =
  /^(your|my|insert|enter|replace|changeme|example|xxx|\*\*\*|todo|null|none|true|false)/i;

const shannon = (text: string) =>
  [...new Set(text)].reduce((sum, char) => {
    const share = text.split(char).length - 1;
    return sum - (share / text.length) * Math.log2(share / text.length);
  }, 0);

/** Words of at least 16 characters that mix letters and digits like a random generator does. */
function isRandomWord(word: string): boolean {
  if (word.length < 16 || !/\d/.test(word) || !/[a-z]/i.test(word)) return false;
  const mixesCase = /[a-z]/.test(word) && /[A-Z]/.test(word);
  const isHex = /^[0-9a-f]+$/i.test(word);
  return (mixesCase || isHex || word.length >= 24) && shannon(word) > 3;
}

const knownKeys = new RegExp(knownKey.source.replace('|-----BEGIN )', ')'), 'g');
const sample = /your|example|placeholder|dummy|x{4}|(.)\1{5}|\.\.\.|1234567|abcdef/i;

/**
 * Does a prose text hold a key that a service's prefix gives away, and that is no sample? Unlike
 * looksSecret it takes hashes and UUIDs for what they mostly are in documents.
 */
export const holdsKnownKey = (text: string): boolean =>
  /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text) ||
  (text.match(knownKeys) ?? []).some((key) => /\d/.test(key) && !sample.test(key));

/** Does the text, or a part of it, look like a credential? */
export const looksSecret = (text: string): boolean =>
  knownKey.test(text) || text.split(/[^A-Za-z0-9+]+/).some(isRandomWord) || isUuid(text);

const isUuid = (text: string) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(text);

/** Does a variable, header or option of this name usually hold a credential? */
export const namesSecret = (name: string): boolean =>
  secretName.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));

/** Is the value a credential written out, rather than a reference to one or a placeholder? */
export function holdsSecret(name: string, value: string): boolean {
  const text = value.trim();
  if (text === '' || reference.test(text) || placeholder.test(text)) return false;
  return looksSecret(text) || (namesSecret(name) && text.length >= 4 && !isPlain(text));
}

/** Settings whose name sounds secret although the value is a number, a path or an address. */
const isPlain = (text: string) =>
  /^\d{1,9}$/.test(text) || /^(\/|~\/|\.\/|https?:\/\/[^@?]*$)/.test(text);
