/**
 * Words that mark a pre-release: `1.0-beta` is older than `1.0`. Other words mark a later version.
 */
const WORDS = 'alpha beta canary ea exp insider insiders next nightly pre preview rc snapshot';
const BEFORE_RELEASE = new Map([
  ...WORDS.split(' ').map((word) => [word, word] as const),
  ['dev', 'adev'],
]);
/**
 * Letters that mark a pre-release only if a number follows: `1.0b2` is a beta, `1.1.1b` is a patch.
 */
const LETTERS = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['c', 'rc'],
]);

// The first character of each part's key, which determines the order of parts.
const WORD_BEFORE_RELEASE = '1';
const END = '2';
const REVISION = '3';
const OTHER_WORD = '4';
const NUMBER = '5';

/** Versions have at most 100 characters, so two digits suffice for the length of a number. */
const MAX_DIGITS = 99;

/**
 * Returns a sort key for versions: comparing keys as text compares the versions. `1.9` < `1.10`,
 * `1.0-beta.2` < `1.0` < `1.0-1` < `1.0.1`, `v1.0` = `1.0.0`, `2026.01.05` < `2026-1-15`, `23H2` <
 * `24H1`. Build metadata after `+` is ignored. Keys contain only digits and lower-case letters,
 * which all collations sort in the same order.
 *
 * Returns null for texts without a digit, such as `latest`, which cannot be ordered.
 */
export function versionKey(version: string | null): string | null {
  const text = (version ?? '').trim().toLowerCase().replace(/\+.*$/s, '');
  if (!/\d/.test(text)) return null;
  const plain = text.replace(/^v(?=\d)/, '').replace(/^(\d{4})-(\d\d?)-(\d\d?)/, '$1.$2.$3');
  const parts = withoutTrailingZeros(plain.match(/(?<=\d)-\d+|\d+|[a-z]+/g) ?? []);
  return [...parts.map((part, i) => keyOfPart(part, parts[i + 1])), END].join('');
}

/**
 * Returns a negative number if `a` is older. Texts that cannot be ordered are older than all
 * versions.
 */
export function compareVersions(a: string | null, b: string | null): number {
  const [keyOfA, keyOfB] = [versionKey(a) ?? '', versionKey(b) ?? ''];
  return keyOfA < keyOfB ? -1 : Number(keyOfA > keyOfB);
}

/** Drops trailing zeros of the release number: `1.0.0` is `1`. */
function withoutTrailingZeros(parts: readonly string[]): readonly string[] {
  const other = parts.findIndex((part) => !/^\d/.test(part));
  const release = other === -1 ? parts.length : other;
  let end = release;
  while (end > 1 && /^0+$/.test(parts[end - 1] ?? '')) end -= 1;
  return [...parts.slice(0, end), ...parts.slice(release)];
}

function keyOfPart(part: string, next = ''): string {
  if (part.startsWith('-')) return REVISION + keyOfNumber(part.slice(1));
  if (/^\d/.test(part)) return NUMBER + keyOfNumber(part);
  const letter = /^\d/.test(next) ? LETTERS.get(part) : undefined;
  const before = letter ?? BEFORE_RELEASE.get(part);
  // The zero terminates the word and sorts before all letters.
  return before === undefined ? `${OTHER_WORD}${part}0` : `${WORD_BEFORE_RELEASE}${before}0`;
}

function keyOfNumber(text: string): string {
  const digits = text.replace(/^0+(?=\d)/, '').slice(0, MAX_DIGITS);
  return String(digits.length).padStart(2, '0') + digits;
}
