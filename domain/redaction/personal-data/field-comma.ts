import { endOf, isDigit } from '../detector.ts';

/** `1,234,567.89`: the groups after a thousands mark have three digits. */
const thousands = /\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?(?!\d|[-., ]\d)/y;
/** `12,75`: one mark, and nothing after the decimals. */
const decimal = /\d{1,20},\d{1,20}(?!\d|[-.,]\d)/y;

/** No number of this length is written with a decimal comma, except between zero and one. */
const MIN_ID_LENGTH = 9;
const MAX_DIGITS = 40;

/** Separators of rows in which a comma can be a decimal mark. */
const isOtherSeparator = (character: string | undefined): boolean =>
  character !== undefined && ';\t|'.includes(character);

/** The start of a row, or a quote or bracket before its first field. */
const isRowStart = (character: string | undefined): boolean =>
  character === undefined || '\n\r"\'`([{'.includes(character);

/**
 * Whether the comma between two digits separates fields, as in a row of CSV, instead of being part
 * of a number. It is a decimal or thousands mark only if the groups of digits around it fit.
 *
 * @param start the start of what ends at the comma; by default of the digits before it
 */
export function isFieldComma(text: string, at: number, start = startOfDigits(text, at)): boolean {
  let right = at + 1;
  while (right - at <= MAX_DIGITS && isDigit(text, right)) right += 1;
  if (endOf(thousands, text, start) > at) return false;
  if (endOf(decimal, text, start) <= at) return true;
  const before = text[start - 1];
  const after = text[right];
  if (before === ',' || after === ',') return true;
  if (isOtherSeparator(before) || isOtherSeparator(after)) return false;
  if (right - at - 1 >= MIN_ID_LENGTH) return text.slice(start, at) !== '0';
  return isRowStart(before);
}

function startOfDigits(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_DIGITS && isDigit(text, start - 1)) start -= 1;
  return start;
}

/** Whether the character at `at` is a comma within a longer number. `start` is as above. */
export const isCommaInNumber = (text: string, at: number, start?: number): boolean =>
  text[at] === ',' &&
  isDigit(text, at - 1) &&
  isDigit(text, at + 1) &&
  !isFieldComma(text, at, start);
