const SHORTEST = 12;
/** Characters that a password must have beyond the name in the email. */
const OWN_CHARACTERS = 6;
const FEWEST_KINDS = 5;

/** What nobody may build a password from alone, written without digits and signs. */
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

/** What a password lacks, as a refusal says it; null when nothing. */
export function weaknessOf(password: string, email: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < SHORTEST) return `expected at least ${SHORTEST} characters`;
  if (isFromEmail(text, email.toLowerCase())) return 'expected more than what the email says';
  if (isRepetition(text) || new Set(text).size < FEWEST_KINDS)
    return 'expected more than a few characters again and again';
  if (isSequence(text)) return 'expected more than a sequence of neighbours';
  if (isCommon(text)) return 'expected more than a common password';
  return null;
}

function isFromEmail(text: string, email: string): boolean {
  const [name = '', domain = ''] = email.split('@');
  const parts = [email, domain, name].filter((part) => part.length > 2);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text);
  return rest !== text && Array.from(rest).length < OWN_CHARACTERS;
}

/** Any unit, repeated to the end; the last one may be cut off. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text);
  for (let unit = 1; unit * 2 <= characters.length; unit += 1)
    if (characters.every((character, i) => character === characters[i % unit])) return true;
  return false;
}

/** Digits or letters one after the other, up or down, or along the rows of a keyboard. */
function isSequence(text: string): boolean {
  const characters = Array.from(text);
  const leaps = characters.slice(1).filter((to, i) => !areNeighbours(characters[i] ?? '', to));
  if (leaps.length < 3) return true;
  const backwards = characters.toReversed().join('');
  return ROWS.some((row) => row.includes(text) || row.includes(backwards));
}

/** 9 and 0 are neighbours, as are z and a; so is each of itself. */
const areNeighbours = (from: string, to: string): boolean =>
  Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) < 2 ||
  ['90', '09', 'za', 'az'].includes(from + to);

/** Common words, perhaps disguised, with nothing but digits and signs around them. */
function isCommon(text: string): boolean {
  const core = text.replace(/^\P{L}+|\P{L}+$/gu, '');
  const undisguised = Array.from(core, (character) => DISGUISES[character] ?? character).join('');
  return [core, undisguised].some((form) => {
    const letters = form.replace(/\P{L}/gu, '');
    const rest = LONGEST_FIRST.reduce((left, word) => left.replaceAll(word, ''), letters);
    return rest !== letters && rest.length < 3;
  });
}

const LONGEST_FIRST = COMMON.toSorted((a, b) => b.length - a.length);
