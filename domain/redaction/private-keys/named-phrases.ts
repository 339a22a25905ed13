import { endOf, type Finding } from '../detector.ts';

/**
 * Seed phrases next to their name: `MNEMONIC="…"`. They need no checksum, so that those with a
 * typing error, of wallets with other lists (Monero, Electrum, Algorand) and in the other languages of
 * BIP-39 are found as well.
 */
const COUNTS = new Set([12, 13, 15, 18, 21, 24, 25]);

const NAME =
  '(?:mnemonic|(?:seed|recovery)[-_ ]?(?:phrase|words)|(?<=(?:secret|backup)[-_ ]?)phrase|bip-?39|seed)';
const qualifier = String.raw`(?:[-_ ]?(?:phrase|words?|code|key|seed|\d{1,2}|[a-z]{1,10})){0,2}`;
const operator = String.raw`\\{0,3}["'\x60\]*]{0,3}(?:: ?[A-Za-z]\w{0,20}(?= ?=))?\s{0,3}(?:=>|:=|[:=]|is:?|(?<=["'\x60]),)\s{0,3}(?:[A-Za-z][\w.:]{0,40}\()?\\{0,3}["'\x60]?`;
const beginning = new RegExp(`${NAME}${qualifier}${operator}`, 'iy');

/** A word of Latin letters, in one case, or of the other scripts of BIP-39. */
const word = String.raw`(?:[a-z\u00DF-\u00FF\u0300-\u036F]{3,14}|[A-Z]{3,14}|\p{Script=Han}|[\p{Script=Hiragana}\u3099\u309A]{2,14}|\p{Script=Hangul}{2,14})`;
const phrase = new RegExp(
  String.raw`${word}(?:[ \u3000]${word}){11,24}(?=\\{0,3}["'\x60]|\.?[ \t]{0,3}(?:\r?\n|\\[nr]|$))`,
  'uy',
);
/** A sentence of so many words has one of these, or a shorter word. */
const stopWord =
  /(?:^|[ ])(?:the|and|that|this|these|your?|with|for|from|when|which|are|was|will|must|should|not|can|has|have|der|die|das|und|les|des|una|del|para|que|per|che)(?![^ ])/i;

/** The start of a value at a name of a seed phrase, or -1. */
const valueAt = (text: string, at: number): number => endOf(beginning, text, at);

/** A part of a list of words is in alphabetical order. */
const isSorted = (words: readonly string[]): boolean =>
  words.every((word, at) => at === 0 || word > (words[at - 1] ?? ''));

function isPhrase(text: string): boolean {
  const words = text.split(/[ \u3000]/);
  return COUNTS.has(words.length) && !stopWord.test(text) && !isSorted(words);
}

/** The seed phrases next to these names. */
export function findNamedPhrases(text: string, names: readonly number[]): Finding[] {
  let done = 0;
  return names.flatMap((at) => {
    const start = at < done ? -1 : valueAt(text, at);
    const end = start === -1 ? -1 : endOf(phrase, text, start);
    if (end === -1 || !isPhrase(text.slice(start, end))) return [];
    done = end;
    return [{ start, end }];
  });
}

const memberName = new RegExp(`(?<![a-z])(?:(?:secret|backup)[-_ ]?)?${NAME}${qualifier}$`, 'i');

/** For the name of a member that holds a seed phrase, a test for its value. */
export const phraseOfMember = (member: string): ((value: string) => boolean) | undefined =>
  memberName.test(member.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
    ? (value) => endOf(phrase, value, 0) === value.length && isPhrase(value)
    : undefined;
