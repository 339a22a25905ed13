import { endOf, type Finding } from '../detector.ts';
import { literalSearch } from '../search/literal-search.ts';
import { isSecretValue } from './secret-value.ts';
import type { TriggerWords } from '../search/trigger-words.ts';

/** Names of keys with letters outside ASCII, of which `TriggerWords` has none. */
const otherNames = ['chlüssel', 'clé ', 'Clé ', 'nøgle', 'nøkkel', 'ключ ', 'Ключ ', 'キー'].map(
  literalSearch,
);
const NAME =
  'key|token|secret|chave|chiave|llave|clave|sleutel|klucz|nyckeln?|anahtarı?|chlüssel|clé|nøglen?|nøkkel(?:en)?|ключ|キー';
/** The service or environment of the key: `de Vercel`, `for staging`. */
const OWNER = String.raw`(?: [\p{L}\d'\u2019._-]{1,24}){0,5}?`;
const VERB =
  '(?: (?:is|lautet|ist|est|es|é|è|är|er|jest|to|это)(?: (?:now|jetzt|ahora|maintenant|agora))?:? |:[ \n]| ?は ?)';
const QUOTE = String.raw`["'\x60*]{0,3}`;
const toValue = new RegExp(`(?:${NAME})${OWNER}${VERB}${QUOTE}`, 'iuy');

/**
 * Keys in sentences, also of other languages: `la clé Vercel est …`, `der API-Schlüssel lautet …`, `the
 * token for staging: …`. The value must look generated, because most keys in sentences are of tables
 * and objects.
 */
export function findKeysInProse(text: string, words: TriggerWords): Finding[] {
  const others = otherNames.flatMap(({ positionsIn }) => positionsIn(text));
  return [...words('key'), ...others].flatMap((at) => {
    const start = endOf(toValue, text, at);
    if (start === -1) return [];
    value.lastIndex = start;
    const key = value.exec(text)?.[0].replace(/[.:,;]+$/, '') ?? '';
    return isKey(key) ? [{ start, end: start + key.length }] : [];
  });
}

const value = /[A-Za-z\d+/=._:-]{16,200}/y;
/** The fingerprint of a public key in OpenPGP (RFC 4880, 12.2). */
const fingerprint = /^[\dA-F]{40}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isKey = (key: string): boolean =>
  key.length >= 16 &&
  !uuid.test(key) &&
  !fingerprint.test(key) &&
  isSecretValue('secret', key, { isQuoted: true, isUnspaced: false });
