import { type Detector, endOf, type Finding } from './detector.ts';
import { isCommaInNumber } from './field-comma.ts';
import { type NationalId, nationalIds } from './national-ids.ts';
import { nearNumbers } from './text-index.ts';

const sixDigits = String.raw`\d[A-Z ]?\d(?:[A-Z .+-]{0,3}\d){4}`;
const prefilter = new RegExp(sixDigits);
/**
 * Matches where a number may start: up to six capitals, then at least six digits that are close
 * together.
 */
const beginning = new RegExp(`(?<![A-Za-z0-9])(?<![\\d.,][-.])(?=[A-Z]{0,6} ?${sixDigits})`, 'g');
/** The number must not be part of a longer number or word. */
const end = String.raw`(?![A-Za-z0-9])(?![-.]\d)`;

interface Matcher {
  isValid: (text: string) => boolean;
  /** A sticky pattern. */
  pattern: RegExp;
  /**
   * A sticky pattern that tests, at the start of the number, whether one of the required words is
   * nearby.
   */
  keywordNearby: RegExp | undefined;
}

const matcherOf = ({ isValid = () => true, pattern, keywords }: NationalId): Matcher => ({
  isValid,
  pattern: new RegExp(`(?:${pattern})${end}`, 'y'),
  keywordNearby: keywords
    ? new RegExp(`(?<=(?<![a-z])(?:${keywords})(?![a-z])[^\\n]{0,24})`, 'iy')
    : undefined,
});

const matchers = nationalIds.map(matcherOf);
/** A sticky pattern for a fast path, because most numbers match none of the formats. */
const anyPattern = new RegExp(
  `(?:${nationalIds.map(({ pattern }) => `(?:${pattern})`).join('|')})${end}`,
  'y',
);

/** National ids of people, except that of the United States. */
export const nationalId: Detector = {
  type: 'NATIONAL_ID',
  minLength: 9,
  find: nearNumbers((text) => {
    if (!prefilter.test(text)) return [];
    const findings: Finding[] = [];
    beginning.lastIndex = 0;
    for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
      const start = match.index;
      const end = endOfId(text, start);
      if (end !== -1) findings.push({ start, end });
      beginning.lastIndex = Math.max(end, start + 1);
    }
    return findings;
  }),
};

function endOfId(text: string, start: number): number {
  if (endOf(anyPattern, text, start) === -1 || isCommaInNumber(text, start - 1)) return -1;
  for (const { isValid, pattern, keywordNearby } of matchers) {
    const end = endOf(pattern, text, start);
    if (end === -1 || !isValid(text.slice(start, end)) || isCommaInNumber(text, end, start))
      continue;
    if (!keywordNearby || endOf(keywordNearby, text, start) !== -1) return end;
  }
  return -1;
}
