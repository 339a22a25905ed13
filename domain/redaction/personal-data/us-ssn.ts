import { type Detector, regexDetector } from '../detector.ts';
import { nearNumbers } from '../text-index.ts';

/** Numbers that appeared in advertisements and are never assigned. */
const advertised = /^(?:078[- ]?05[- ]?1120|219[- ]?09[- ]?9999)$/;

/**
 * Whether the number can be assigned. Areas 000, 666 and 900 to 999, group 00 and serial 0000 are
 * not.
 */
export const isAssignable = (text: string): boolean =>
  !/^(?:000|666|9)|^\d{3}[- ]?00|0000$/.test(text) && !advertised.test(text);

const separated = regexDetector({
  type: 'US_SSN',
  prefilter: /\d{3}[- ]\d\d[- ]\d{4}/,
  pattern: /(?<![A-Za-z0-9])(?<!\d[-.])\d{3}(?:-\d\d-| \d\d )\d{4}(?![A-Za-z0-9])(?!-\d)/g,
  accept: isAssignable,
});

const named = regexDetector({
  type: 'US_SSN',
  pattern:
    /(?<![a-z])(?:ssn|social[ _-]security(?:[ _-]number| no\.?)?)(?:[^a-z0-9\n]{0,20}(?:is )?|[:\s]{0,3}<\/t[dh]>\s{0,8}<td>|\) values \(['"]?|[;,|\t][^\n]{0,20}\n(?:[^\n]{0,20}[;,|\t])?["' ]{0,2})(?<found>\d{9})(?!\w)/gi,
  prefilter: /\d{9}/,
  accept: isAssignable,
});

/**
 * US social security numbers: in three parts, or nine digits with a name next to them, also as the
 * column of a table.
 */
export const usSsn: Detector = {
  type: 'US_SSN',
  minLength: 11,
  find: nearNumbers((text) => [...separated.find(text), ...named.find(text)]),
};
