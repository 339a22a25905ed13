import { areWords } from './words.ts';

const MAX_NAME_DIGITS = 5;

/** Whether the text is a name in code: `accessToken`, `OAuth2Client`, `user_name`. */
export function isName(text: string): boolean {
  if (!/^[A-Za-z_$][\w$]{0,119}[!?]?$/.test(text)) return false;
  const words = text.match(/[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  if (!areWords(words)) return false;
  const digits = text.replaceAll(/\D/g, '').length;
  const letters = words.join('').length;
  return (
    digits === 0 ||
    (digits <= MAX_NAME_DIGITS &&
      !/\d\D+\d\D+\d|^[a-z]*\d+[a-z]+\d+[a-z\d]*$/.test(text) &&
      /[a-z]{3}|_/.test(text) &&
      letters >= Math.max(2 * digits, 3.2 * words.length))
  );
}

const MAX_IDENTIFIER_DIGITS = 4;

/** Whether the text consists of words, names and short numbers: `aws.auth#v4`, `NextToken`. */
export function isWords(text: string): boolean {
  const segments = text.split(/[-_./:@#=,]+/);
  return segments.every(
    (segment) =>
      isWordOrNumber(segment) ||
      (isName(segment) && !/[^A-Z\d]\d+$/.test(segment)) ||
      (segments.length > 1 && numbered.test(segment)),
  );
}

/** As in `us-east1-k8s`, `backup-20261101`, and of a curve, `EC:secp384r1`. */
const numbered =
  /^(?:[A-Z]?[a-z]{1,12}\d{1,2}[a-z]?|[a-z]\d{3}|[a-z]{2,12}\d{3,5}|[a-z]{4,12}P?\d{3}[a-z]\d|[a-z]{1,12}[A-Z][a-z]{1,12}\d{1,2}|[A-Z]{1,12}\d{1,4}|(?:19|20)\d{6})$/;

/** A word, an abbreviation or a short number. */
export const isWordOrNumber = (segment: string): boolean =>
  /^[A-Z]?[a-z]*$|^[A-Z]+$/.test(segment) ||
  (/^v?\d+$/.test(segment) && segment.length <= MAX_IDENTIFIER_DIGITS);
