/** Character classes, in the syntax between the brackets of a regular expression. */
export const DIGIT = '0-9';
export const HEX = '0-9a-f';
export const ANY_HEX = '0-9A-Fa-f';
export const UPPER = 'A-Z0-9';
export const BASE32 = 'A-Z2-7';
export const LOWER = 'a-z0-9';
export const LETTER = 'A-Za-z';
export const ALNUM = 'A-Za-z0-9';
export const WORD = 'A-Za-z0-9_';
export const URL_SAFE = 'A-Za-z0-9_-';
export const URL_SAFE_PADDED = 'A-Za-z0-9_=-';
export const BASE64 = 'A-Za-z0-9+/=';
export const DOTTED = 'A-Za-z0-9_.=-';

/** Literal text, or characters of a class: exactly `least` of them, or up to `most`. */
type Part = string | readonly [characters: string, least: number, most?: number];

/** The format of one issuer's keys: a literal prefix, then parts of known lengths. */
export interface KeyFormat {
  issuer: string;
  /**
   * The possible prefixes, case-sensitive. The first two characters are ASCII letters or digits.
   */
  begins: readonly string[];
  parts: readonly Part[];
  /** The documentation of the format, or a public rule that describes it. */
  source: string;
  /** The length is part of the format, so a longer word with the same prefix is not a key. */
  exact?: boolean;
}

/** The source of a regular expression for the part after the prefix. */
export const bodyOf = ({ parts }: KeyFormat): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return RegExp.escape(part);
      const [characters, least, most = least] = part;
      return `[${characters}]{${least},${most}}`;
    })
    .join('');
