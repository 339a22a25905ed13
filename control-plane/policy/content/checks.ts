import type { Detector } from '#agent/core/redaction/detector.ts';
import type { KeyRule } from '#agent/core/redaction/key-rules.ts';
import { isPlaceholder } from '#agent/core/redaction/redact-text.ts';
import type { NamedPattern } from '#agent/core/redaction/patterns/compiled-patterns.ts';
import { compilePattern } from '#agent/core/redaction/patterns/pattern.ts';
import { patternDetectors } from '#agent/core/redaction/patterns/pattern-detectors.ts';
import type { Text } from './clip.ts';
import {
  type Credential,
  credentials,
  membersOf,
  type PersonalData,
  personalData,
  redactedAs,
} from './named-detectors.ts';

/** Looks for one thing. */
export interface Check {
  type:
    | 'pii'
    | 'credential'
    | 'prompt_injection'
    | 'custom_pattern'
    | 'blocked_phrase'
    | 'profanity';
  /** What it is that was found: `ssn`, a pattern's name, a phrase. */
  matched: string;
  isIn(text: Text): boolean;
  /** The types of the placeholders that stand for it where a device redacted it before. */
  redactedAs: readonly string[];
  /** How it is redacted, where it can be. */
  detectors: readonly Detector[];
  keys: readonly KeyRule[];
}

/** The names of what was found, in the order of the checks. Reads each text once for all of them. */
export function findingsIn<C extends Check>(checks: readonly C[], texts: readonly Text[]): C[] {
  const found = new Set<C>();
  for (const text of texts)
    for (const check of checks) if (!found.has(check) && check.isIn(text)) found.add(check);
  return checks.filter((check) => found.has(check));
}

export const personalDataChecks = (names: readonly PersonalData[]): Check[] =>
  names.map((name) => ({
    ...detecting('pii', name, personalData[name]),
    redactedAs: redactedAs[name],
  }));

export const credentialChecks = (names: readonly Credential[]): Check[] =>
  names.map((name) => {
    const check = detecting('credential', name, credentials[name]);
    const members = membersOf(name);
    return {
      ...check,
      isIn: (text) => isValueOf(members, text) || check.isIn(text),
      redactedAs: redactedAs[name],
      keys: members.map((key) => ({ key, type: placeholderType(name) })),
    };
  });

const isValueOf = (members: readonly string[], { member, text }: Text): boolean =>
  member !== null && members.includes(member.toLowerCase()) && !isPlaceholder(text);

/** Whatever some detectors find, under one name. */
export function detecting(
  type: Check['type'],
  matched: string,
  detectors: readonly Detector[],
): Check {
  return {
    type,
    matched,
    isIn: ({ text }) =>
      detectors.some(
        (detector) => text.length >= (detector.shortest ?? 1) && detector.find(text).length > 0,
      ),
    redactedAs: [],
    detectors: detectors.map((detector) => ({ ...detector, type: placeholderType(matched) })),
    keys: [],
  };
}

/** A placeholder's type consists of capitals, digits and underscores. */
const placeholderType = (name: string): string =>
  `${/^[a-z]/i.test(name) ? '' : 'X_'}${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** Patterns that were checked when they were saved. One that no longer compiles finds everything. */
export function patternChecks(patterns: readonly NamedPattern[]): Check[] {
  const compiled = patterns.map(({ name, pattern }) => compilePattern(name, pattern));
  const detectors = patternDetectors(
    compiled.filter((pattern) => 'matcher' in pattern),
    { now: () => performance.now() },
  );
  return patterns.map(({ name }, index) => {
    const usable = compiled.slice(0, index).filter((pattern) => 'matcher' in pattern).length;
    const found = 'matcher' in (compiled[index] ?? {}) ? detectors[usable] : undefined;
    return detecting('custom_pattern', name, [found ?? everything]);
  });
}

const everything: Detector = {
  type: 'EVERYTHING',
  find: (text) => [{ start: 0, end: text.length }],
};

/** Phrases, in upper or lower case alike. */
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
