import { ApiError } from '#contract/errors.ts';

const MIN_LENGTH = 12;

/** The length of a password in characters. The maximum is what `contract/sign-in.ts` accepts. */
export const passwordLength = { min_length: MIN_LENGTH, max_length: 1024 };

/** The number of characters required in addition to the local part of the email. */
const OWN_CHARACTERS = 6;
const MIN_DISTINCT_CHARACTERS = 5;

/** Common passwords, without digits and symbols. */
const COMMON = [
  'password',
  'passphrase',
  'passwort',
  'qwerty',
  'qwertyuiop',
  'qwertz',
  'azerty',
  'asdfghjkl',
  'zxcvbnm',
  'letmein',
  'letmeinnow',
  'welcome',
  'administrator',
  'admin',
  'changeme',
  'iloveyou',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'superman',
  'trustno',
  'master',
  'secret',
  'login',
  'company',
  'summer',
  'winter',
  'spring',
  'autumn',
  'gatehouse',
  'test',
  'user',
];

const ROWS = [
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
];

const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Describes the weakness of a password for an error message; null if there is none. */
export function weaknessOf(password: string, email: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < MIN_LENGTH) return `expected at least ${MIN_LENGTH} characters`;
  if (isFromEmail(text, email.toLowerCase()))
    return 'expected a password that is not made up of parts of the email address';
  if (isRepetition(text) || new Set(text).size < MIN_DISTINCT_CHARACTERS)
    return 'expected a password that is not a repeated pattern';
  if (isSequence(text)) return 'expected a password that is not a sequence of adjacent characters';
  if (isCommon(text)) return 'expected a less common password';
  return null;
}

function isFromEmail(text: string, email: string): boolean {
  const [name = '', domain = ''] = email.split('@');
  const parts = [email, domain, name].filter((part) => part.length > 2);
  const remaining = parts.reduce((remainder, part) => remainder.replaceAll(part, ''), text);
  return remaining !== text && Array.from(remaining).length < OWN_CHARACTERS;
}

/** Whether a text repeats a unit. The last repetition may be cut off. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text);
  for (let unit = 1; unit * 2 <= characters.length; unit += 1)
    if (characters.every((character, i) => character === characters[i % unit])) return true;
  return false;
}

/**
 * Whether a text is a sequence of consecutive digits or letters, ascending or descending, or along
 * the rows of a keyboard.
 */
function isSequence(text: string): boolean {
  const characters = Array.from(text);
  const leaps = characters.slice(1).filter((to, i) => !areNeighbours(characters[i] ?? '', to));
  if (leaps.length < 3) return true;
  const backwards = characters.toReversed().join('');
  return ROWS.some((row) => row.includes(text) || row.includes(backwards));
}

/**
 * Whether two characters are adjacent, as are 9 and 0, and z and a. A character is adjacent to
 * itself.
 */
const areNeighbours = (from: string, to: string): boolean =>
  Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) < 2 ||
  ['90', '09', 'za', 'az'].includes(from + to);

/**
 * Whether a text is a common word, possibly in leetspeak, with only digits and symbols around it.
 */
function isCommon(text: string): boolean {
  const core = text.replace(/^\P{L}+|\P{L}+$/gu, '');
  const undisguised = Array.from(core, (character) => DISGUISES[character] ?? character).join('');
  return [core, undisguised].some((form) => {
    const letters = form.replace(/\P{L}/gu, '');
    const remaining = LONGEST_FIRST.reduce(
      (remainder, word) => remainder.replaceAll(word, ''),
      letters,
    );
    return remaining !== letters && remaining.length < 3;
  });
}

const LONGEST_FIRST = COMMON.toSorted((a, b) => b.length - a.length);

/** @throws ApiError `validation_error` that names the field */
export function requireStrong(field: string, password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness) throw new ApiError('validation_error', `${field}: ${weakness}`);
}
