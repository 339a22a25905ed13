import { type Detector, endOf, type Finding } from './detector.ts';

/** How long the numbers of each country are. */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [15, 'NO'],
    [16, 'BE'],
    [18, 'DK FI FK FO GL NL'],
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
    [30, 'JO KW YE'],
    [31, 'MT SC'],
    [32, 'LC'],
    [33, 'RU'],
  ].flatMap(([length, countries]) =>
    String(countries)
      .split(' ')
      .map((country) => [country, Number(length)]),
  ),
);

const beginning = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?= ?[A-Za-z0-9]{4})/g;
const character = /[ -]?[A-Za-z0-9]/y;

export const iban: Detector = {
  type: 'IBAN',
  find(text) {
    const findings: Finding[] = [];
    beginning.lastIndex = 0;
    for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
      const length = lengths[match[0].slice(0, 2).toUpperCase()];
      const end = length === undefined ? -1 : endOfNumber(text, match.index, length);
      if (end !== -1) findings.push({ start: match.index, end });
    }
    return findings;
  },
};

/** The end of so many characters, single spaces or dashes between them, if they check out. */
function endOfNumber(text: string, start: number, length: number): number {
  let end = start;
  for (let i = 0; i < length && end !== -1; i += 1) end = endOf(character, text, end);
  if (end === -1 || /[A-Za-z0-9]/.test(text.charAt(end))) return -1;
  return isChecked(text.slice(start, end).replaceAll(/[ -]/g, '').toUpperCase()) ? end : -1;
}

/** ISO 7064: the number with its first four characters last, letters as 10 to 35, modulo 97. */
function isChecked(number: string): boolean {
  let rest = 0;
  for (const character of number.slice(4) + number.slice(0, 4))
    for (const digit of String(parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
