/** Characters, as they stand between the brackets of a regular expression. */
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

/** Literal text, or characters of one kind: exactly `least` of them unless `most` says more. */
type Part = string | readonly [characters: string, least: number, most?: number];

/** How the keys of one issuer look: a literal beginning, then parts of known lengths. */
export interface KeyFormat {
  issuer: string;
  /** Any of these, in this case; the first two characters are letters or digits of ASCII. */
  begins: readonly string[];
  parts: readonly Part[];
  /** Where the format is documented, or the public rule that describes it. */
  source: string;
  /** A longer word that begins like a key is none: the length is part of the format. */
  exact?: boolean;
}

/** What follows the beginning of a key, as the source of a regular expression. */
export const bodyOf = ({ parts }: KeyFormat): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return RegExp.escape(part);
      const [characters, least, most = least] = part;
      return `[${characters}]{${least},${most}}`;
    })
    .join('');
