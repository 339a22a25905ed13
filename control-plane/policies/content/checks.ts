import type { Detector } from '#domain/redaction/detector.ts';
import type { MemberRule } from '#domain/redaction/member-rules.ts';
import { type NamedPattern, compilePattern } from '#domain/redaction/patterns/pattern.ts';
import { patternDetectors } from '#domain/redaction/patterns/pattern-detectors.ts';
import { isPlaceholder } from '#domain/redaction/redact-text.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Text } from './clip.ts';
import {
  type Credential,
  credentials,
  membersOf,
  type PersonalData,
  personalData,
  redactedAs,
} from './named-detectors.ts';

/** Detects one kind of content. */
export interface Check {
  type:
    | 'pii'
    | 'credential'
    | 'prompt_injection'
    | 'custom_pattern'
    | 'blocked_phrase'
    | 'profanity';
  /** The name of the match: a built-in name such as `ssn`, the name of a pattern, or a phrase. */
  matched: string;
  isIn(text: Text): boolean;
  /** The placeholder types with which a device's redaction replaces it. */
  redactedAs: readonly string[];
  /** The detectors that redact it, if it can be redacted. */
  detectors: readonly Detector[];
  keys: readonly MemberRule[];
}

/** Returns the checks that match, in their given order. Each text is read once for all checks. */
export function findingsIn<C extends Check>(checks: readonly C[], texts: readonly Text[]): C[] {
  const matches = new Set<C>();
  for (const text of texts)
    for (const check of checks) if (!matches.has(check) && check.isIn(text)) matches.add(check);
  return checks.filter((check) => matches.has(check));
}

export const personalDataChecks = (names: readonly PersonalData[]): Check[] =>
  names.map((name) => ({
    ...detectorCheck('pii', name, personalData[name]),
    redactedAs: redactedAs[name],
  }));

export const credentialChecks = (names: readonly Credential[]): Check[] =>
  names.map((name) => {
    const check = detectorCheck('credential', name, credentials[name]);
    const members = membersOf(name);
    return {
      ...check,
      isIn: (text) => isValueOf(members, text) || check.isIn(text),
      redactedAs: redactedAs[name],
      keys: members.map((key) => ({ key, type: placeholderType(name) })),
    };
  });

/**
 * Whether a detector finds a match in a text. Results are cached, because several policies use the
 * same detectors.
 */
const finding = memoize(({ text }: Text) =>
  memoize(
    (detector: Detector): boolean =>
      text.length >= (detector.minLength ?? 1) && detector.find(text).length > 0,
  ),
);

const isValueOf = (members: readonly string[], { member, text }: Text): boolean =>
  member !== null && members.includes(member.toLowerCase()) && !isPlaceholder(text);

/** Creates a check that matches if any of the detectors does. */
export function detectorCheck(
  type: Check['type'],
  matched: string,
  detectors: readonly Detector[],
): Check {
  return {
    type,
    matched,
    isIn: (text) => detectors.some(finding(text)),
    redactedAs: [],
    detectors: detectors.map((detector) => ({ ...detector, type: placeholderType(matched) })),
    keys: [],
  };
}

/** Returns a placeholder type, which consists of capital letters, digits and underscores. */
const placeholderType = (name: string): string =>
  `${/^[a-z]/i.test(name) ? '' : 'X_'}${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/**
 * Creates checks for patterns, which were validated when they were saved. A pattern that no longer
 * compiles matches everything.
 */
export function patternChecks(patterns: readonly NamedPattern[]): Check[] {
  const compiled = patterns.map(({ name, pattern }) => compilePattern(name, pattern));
  const detectors = patternDetectors(
    compiled.filter((pattern) => 'matcher' in pattern),
    { now: () => performance.now() },
  );
  return patterns.map(({ name }, index) => {
    const usable = compiled.slice(0, index).filter((pattern) => 'matcher' in pattern).length;
    const detector = 'matcher' in (compiled[index] ?? {}) ? detectors[usable] : undefined;
    return detectorCheck('custom_pattern', name, [detector ?? everything]);
  });
}

const everything: Detector = {
  type: 'EVERYTHING',
  find: (text) => [{ start: 0, end: text.length }],
};

/** Creates checks for phrases, which are matched case-insensitively. */
export function phraseChecks(phrases: readonly string[]): Check[] {
  let latest = { text: '', lower: '' };
  const lowerOf = (text: string): string => {
    if (latest.text !== text) latest = { text, lower: text.toLowerCase() };
    return latest.lower;
  };
  return phrases.map((phrase) => {
    const lower = phrase.toLowerCase();
    return {
      type: 'blocked_phrase',
      matched: phrase,
      isIn: ({ text }) => lowerOf(text).includes(lower),
      redactedAs: [],
      detectors: [],
      keys: [],
    };
  });
}
