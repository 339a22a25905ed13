import type { MatchLogic } from '@pydantic/genai-prices';
import { withoutMonthlySuffix } from './model-names.ts';

/** The names matched by the price table's rules. */
export interface RuleNames {
  exact: string[];
  /**
   * Prefixes and substrings of names. What may follow them is decided here and not by the table.
   */
  parts: PatternPart[];
}

export interface PatternPart {
  /** A name of the model; null if the rule does not contain one literally. */
  text: string | null;
  /** Returns the index at which the model's own name ends; undefined if it is another model. */
  nameEndIn: (name: string) => number | undefined;
}

/**
 * Converts a rule of the table, with names in lower case. The table's prefixes are too broad:
 * `claude-sonnet-5…` also matches a later `claude-sonnet-5-5`. Here a prefix is the model's name,
 * and only a release suffix may follow it.
 */
export function ruleNamesOf(rule: MatchLogic): RuleNames {
  if ('or' in rule) return merged(rule.or.map(ruleNamesOf));
  if ('and' in rule) return namesOfAll(rule.and);
  if ('equals' in rule) return { exact: [rule.equals.toLowerCase()], parts: [] };
  if ('starts_with' in rule) return onePart(rule.starts_with, 'start');
  if ('contains' in rule) return onePart(rule.contains, 'anywhere');
  if ('ends_with' in rule) return onePart(rule.ends_with, 'anywhere');
  return ofPattern(rule.regex);
}

const merged = (all: readonly RuleNames[]): RuleNames => ({
  exact: all.flatMap(({ exact }) => exact),
  parts: all.flatMap(({ parts }) => parts),
});

/** Returns the names of any of the rules, on the condition that all rules match. */
function namesOfAll(rules: readonly MatchLogic[]): RuleNames {
  const { exact, parts } = merged(rules.map(ruleNamesOf));
  const agree = (name: string): boolean => rules.every((rule) => matchesRule(rule, name));
  return {
    exact: exact.filter(agree),
    parts: parts.map((part) => ({
      ...part,
      nameEndIn: (name) => (agree(name) ? part.nameEndIn(name) : undefined),
    })),
  };
}

/** Whether a lower-case name matches the rule as the table defines it. */
export function matchesRule(rule: MatchLogic, name: string): boolean {
  if ('or' in rule) return rule.or.some((one) => matchesRule(one, name));
  if ('and' in rule) return rule.and.every((one) => matchesRule(one, name));
  if ('equals' in rule) return name === rule.equals.toLowerCase();
  if ('starts_with' in rule) return name.startsWith(rule.starts_with.toLowerCase());
  if ('contains' in rule) return name.includes(rule.contains.toLowerCase());
  if ('ends_with' in rule) return name.endsWith(rule.ends_with.toLowerCase());
  return new RegExp(rule.regex, 'i').test(name);
}

// In these names, the customer chooses the rest.
const FINE_TUNED = /^ft:|\.ft-$/;

function onePart(prefix: string, at: 'start' | 'anywhere'): RuleNames {
  const text = prefix.toLowerCase();
  const nameEndIn: PatternPart['nameEndIn'] = (name) => {
    const start = at === 'start' ? (name.startsWith(text) ? 0 : -1) : name.indexOf(text);
    if (start < 0 || (start > 0 && !/[./:@]/.test(name[start - 1] ?? ''))) return undefined;
    if (FINE_TUNED.test(text)) return name.length;
    const end = start + text.length;
    const stem = withoutMonthlySuffix(name);
    if (stem.length > end) return undefined;
    // A rule with a partial date, like `claude-sonnet-4-2025`, matches that release.
    return stem.length < end ? name.length : end;
  };
  return { exact: [], parts: [{ text, nameEndIn }] };
}

/**
 * Returns the names of a pattern. An unanchored pattern is as broad as a prefix, and the end of the
 * model's name is unknown, so it is skipped.
 */
function ofPattern(source: string): RuleNames {
  if (!/^\^.*\$$/.test(source)) return { exact: [], parts: [] };
  const pattern = new RegExp(source, 'i');
  const nameEndIn: PatternPart['nameEndIn'] = (name) =>
    pattern.test(name) ? withoutMonthlySuffix(name).length : undefined;
  return { exact: [], parts: [{ text: null, nameEndIn }] };
}
