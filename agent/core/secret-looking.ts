/** Prefixes with which services mark their keys, so that leaked ones can be found. */
const knownKey =
  /(?<![A-Za-z0-9])(sk-[\w-]{12,}|[spr]k_(live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|A(KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|hf_\w{20,}|npm_\w{30,}|pypi-[\w-]{30,}|dckr_pat_[\w-]{20,}|svc_s[ku]_\w{8,}|lin_api_\w{16,}|ntn_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}|-----BEGIN )/;

/** Words that name a credential on their own, as in `api-key`, `X-Auth` and `DB_PASS`. */
const credentialWord =
  /^(key|token|tok|secrets?|pass|pw|pwd|auth|authorization|bearer|cookies?|credentials?|creds?|dsn|pat|jwt|otp)$/;

/** Words with a credential's name glued to others, as in `dbpass`, `authtoken` and `secretkey`. */
const gluedCredential =
  /passw(or)?d|passphrase|passcode|credential|(token|secret|pwd|(?<!by|com|tres|sur|over|under)pass|(api|access|account|auth|client|encryption|license|master|private|secret|service|signing|ssh)keys?)$/;

const reference =
  /^(bearer |basic |token )?(\$\w+|\$\{[^}]*\}|\$\([^)]*\)|%\w+%|\{\{[^}]*\}\}|<[^>]*>|op:\/\/.+)$/i;
const placeholder =
  /^(your|my|insert|enter|replace|changeme|example|xxx|\*\*\*|todo|null|none|true|false)/i;

const entropyOf = (text: string) =>
  [...new Set(text)].reduce((sum, char) => {
    const share = text.split(char).length - 1;
    return sum - (share / text.length) * Math.log2(share / text.length);
  }, 0);

/** Words of at least 16 characters with letters and digits mixed as in generated text. */
function isRandomWord(word: string): boolean {
  if (word.length < 16 || !/\d/.test(word) || !/[a-z]/i.test(word)) return false;
  const mixesCase = /[a-z]/.test(word) && /[A-Z]/.test(word);
  const isHex = /^[0-9a-f]+$/i.test(word);
  return (mixesCase || isHex || word.length >= 24) && entropyOf(word) > 3;
}

const knownKeys = new RegExp(knownKey.source.replace('|-----BEGIN )', ')'), 'g');
const exampleKey = /your|example|placeholder|dummy|x{4}|(.)\1{5}|\.\.\.|1234567|abcdef/i;

/**
 * Whether prose contains a key with a known prefix that is not an example. Unlike looksSecret, it
 * ignores hashes and UUIDs, which are common in documents.
 */
export const containsKnownKey = (text: string): boolean =>
  /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text) ||
  (text.match(knownKeys) ?? []).some((key) => /\d/.test(key) && !exampleKey.test(key));

/** Whether the text, or a part of it, is probably a credential. */
export const looksSecret = (text: string): boolean =>
  knownKey.test(text) || text.split(/[^A-Za-z0-9+]+/).some(isRandomWord) || isUuid(text);

const isUuid = (text: string) => /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(text);

/**
 * Whether a variable, header, option or parameter of this name usually holds a credential. The only
 * rule for such names.
 */
export const namesSecret = (name: string): boolean =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .some((word) => credentialWord.test(word) || gluedCredential.test(word));

/** Whether the value is a literal credential, not a reference or placeholder. */
export function isLiteralSecret(name: string, value: string): boolean {
  const text = value.trim();
  if (text === '' || reference.test(text) || placeholder.test(text)) return false;
  return looksSecret(text) || (namesSecret(name) && text.length >= 4 && !isPlain(text));
}

/** Values of settings with secret-sounding names that are only a number, a path or a URL. */
const isPlain = (text: string) =>
  /^\d{1,9}$/.test(text) || /^(\/|~\/|\.\/|https?:\/\/[^@?]*$)/.test(text);
