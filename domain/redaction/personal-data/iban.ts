import { type Detector, endOf, type Finding } from '../detector.ts';

/**
 * The length of an IBAN in each country of the registry
 * (swift.com/standards/data-standards/iban-international-bank-account-number, IBAN Registry).
 */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [15, 'NO'],
    [16, 'BE'],
    [18, 'DK FI FK FO GL NL SD'],
    [19, 'MK SI'],
    [20, 'AT BA EE KZ LT LU MN XK'],
    [21, 'CH HR LI LV'],
    [22, 'BG BH CR DE GB GE IE ME RS VA'],
    [23, 'AE GI IL IQ OM SO TL'],
    [24, 'AD CZ ES MD PK RO SA SE SK TN VG'],
    [25, 'LY PT ST'],
    [26, 'IS TR'],
    [27, 'BI DJ FR GR IT MC MR SM'],
    [28, 'AL AZ BY CY DO GT HN HU LB NI PL SV'],
    [29, 'BR EG PS QA UA'],
    [30, 'JO KW MU YE'],
    [31, 'MT SC'],
    [32, 'LC'],
    [33, 'RU'],
  ].flatMap(([length, countries]) =>
    String(countries)
      .split(' ')
      .map((country) => [country, Number(length)]),
  ),
);

/** Four hexadecimal digits and a hyphen come before the part of a UUID. */
const beginning =
  /(?<![A-Za-z0-9]|[\da-fA-F]{4}-)[A-Za-z]{2}\d{2}(?=[ \u00A0\u202F-]?[A-Za-z0-9]{4})/g;

/** Patterns for this many characters, with single spaces, no-break spaces or dashes between them. */
const shapes = new Map(
  Object.entries(lengths).map(([country, length]) => [
    country,
    new RegExp(`(?:[ \\u00A0\\u202F-]?[A-Za-z0-9]){${length}}(?![A-Za-z0-9])`, 'y'),
  ]),
);

export const iban: Detector = {
  type: 'IBAN',
  minLength: 15,
  find(text) {
    const findings: Finding[] = [];
    beginning.lastIndex = 0;
    for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
      const start = match.index;
      const shape = shapes.get(match[0].slice(0, 2).toUpperCase());
      const end = shape ? endOf(shape, text, start) : -1;
      if (end !== -1 && isChecked(text, start, end)) findings.push({ start, end });
    }
    return findings;
  },
};

/**
 * The checksum of ISO 7064: the first four characters move to the end, letters become 10 to 35,
 * modulo 97.
 */
const isChecked = (text: string, start: number, end: number): boolean =>
  rest(text, start, start + 4, rest(text, start + 4, end, 0)) === 1;

function rest(text: string, start: number, end: number, before: number): number {
  let rest = before;
  for (let at = start; at < end; at += 1) {
    const value = valueOf(text.charCodeAt(at));
    if (value >= 0) rest = (value < 10 ? rest * 10 + value : rest * 100 + value) % 97;
  }
  return rest;
}

/** The value of a digit or letter, by its character code; -1 for a separator. */
function valueOf(code: number): number {
  if (code < 48 || code > 127) return -1;
  return code < 58 ? code - 48 : (code | 0x20) - 87;
}
