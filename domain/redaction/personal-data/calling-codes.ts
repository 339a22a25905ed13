import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

/**
 * Calling codes without a country: freephone, satellites and networks (ITU-T E.164, list of
 * assigned codes).
 */
const nonGeographicCodes: readonly (readonly [code: string, lengths: readonly number[]])[] = [
  ['800', [8]],
  ['808', [8]],
  ['870', [9, 12]],
  ['878', [12]],
  ['881', [9, 10]],
  ['882', [7, 8, 9, 10, 11, 12]],
  ['883', [8, 9, 10, 11, 12]],
  ['888', [11]],
  ['979', [9]],
];

/** The possible numbers of digits after each calling code. */
const lengthsByCode = new Map(
  nonGeographicCodes.map(([code, lengths]) => [code, new Set(lengths)]),
);

const metadata = new Metadata();
for (const country of getCountries()) {
  metadata.selectNumberingPlan(country);
  const code = getCountryCallingCode(country);
  const lengths = lengthsByCode.get(code) ?? new Set<number>();
  for (const length of metadata.numberingPlan?.possibleLengths() ?? []) lengths.add(length);
  lengthsByCode.set(code, lengths);
}

const MAX_CODE_LENGTH = 3;

/** The calling code at the start of the digits. No code is the prefix of another one. */
export function callingCodeOf(digits: string): string | undefined {
  for (let length = 1; length <= MAX_CODE_LENGTH; length += 1)
    if (lengthsByCode.has(digits.slice(0, length))) return digits.slice(0, length);
  return undefined;
}

/**
 * Whether a country with this calling code has numbers of this length. Number ranges are not
 * checked, because new ones are opened all the time. An extra zero, the trunk prefix for domestic
 * calls, is tolerated, and the 1 that Mexico's mobile numbers had until 2019.
 */
export function isInternational(digits: string): boolean {
  const code = callingCodeOf(digits);
  const lengths = code === undefined ? undefined : lengthsByCode.get(code);
  if (code === undefined || !lengths) return false;
  const length = digits.length - code.length;
  const extra = code === '52' ? '1' : '0';
  return lengths.has(length) || (digits[code.length] === extra && lengths.has(length - 1));
}
