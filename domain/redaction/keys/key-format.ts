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
export const ANY_BASE64 = 'A-Za-z0-9+/_=-';

/** The characters of ALNUM, in the order of their codes. */
export const BASE62: readonly string[] = Array.from(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
);

/** Literal text, or characters of a class: exactly `least` of them, or up to `most`. */
type Part = string | readonly [characters: string, least: number, most?: number];

export const UUID: readonly Part[] = [
  ...[8, 4, 4, 4].flatMap((length): Part[] => [[HEX, length], '-']),
  [HEX, 12],
];

/** The format of one issuer's keys: a literal prefix, then parts of known lengths. */
export interface KeyFormat {
  issuer: string;
  /** The possible prefixes, case-sensitive, of at least two ASCII characters. */
  begins: readonly string[];
  parts: readonly Part[];
  /**
   * The documentation of the format, or a public rule that describes it: the name of a rule or file
   * of these collections.
   *
   * - `gitleaks`: gitleaks/gitleaks@b58d3f10 `config/gitleaks.toml`
   * - `betterleaks`: betterleaks/betterleaks@6381fa45 `cmd/generate/config/rules/`
   * - `trufflehog`: trufflesecurity/trufflehog@3ab759fe `pkg/detectors/`
   * - `noseyparker`: praetorian-inc/noseyparker@2e6e7f36
   *   `crates/noseyparker/data/default/builtin/rules/`
   * - `titus`: praetorian-inc/titus@369d8dc4 `pkg/rule/rules/`
   * - `kingfisher`: mongodb/kingfisher@701508d5, or the given commit, `crates/kingfisher-rules/data/rules/`
   */
  source: string;
  /** The length is part of the format, so a longer word with the same prefix is not a key. */
  exact?: boolean;
  /** Names and words may have this prefix and length, so the rest must also look random. */
  random?: boolean;
  /** The prefix does not follow `_` or `-`, because others end like it: `pk_live_`. */
  separate?: boolean;
}

/** Keys whose distinctive part is in the middle or at the end. */
export interface MarkedFormat {
  issuer: string;
  /** The distinctive literal part. */
  mark: string;
  /** The parts before and after the mark, as sources of regular expressions of bounded length. */
  before: string;
  after: string;
  /** The mark is not in a long run of key characters, so it is searched in the whole text. */
  anywhere?: boolean;
  /** An example key in pieces, so that secret scanners do not report this table. */
  example: readonly string[];
  /** As in `KeyFormat`. */
  source: string;
}

export const format = (
  issuer: string,
  begins: string,
  parts: KeyFormat['parts'],
  source: string,
): KeyFormat => ({ issuer, begins: begins.split(' '), parts, source });

export const exact = (...row: Parameters<typeof format>): KeyFormat => ({
  ...format(...row),
  exact: true,
});

export const separate = (row: KeyFormat): KeyFormat => ({ ...row, separate: true });

export const exactRandom = (...row: Parameters<typeof format>): KeyFormat =>
  separate({ ...exact(...row), random: true });

/** The source of a regular expression for the part after the prefix. */
export const bodyOf = ({ parts, exact: isExact }: KeyFormat): string => {
  const body = parts.map((part) => {
    if (typeof part === 'string') return RegExp.escape(part);
    const [characters, least, most = least] = part;
    return `[${characters}]{${least},${most}}`;
  });
  const last = parts.at(-1);
  const more = ALNUM + (typeof last === 'object' ? last[0] : '');
  return body.join('') + (isExact ? `(?![${more}])` : '');
};
