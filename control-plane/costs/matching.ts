import type { MatchLogic } from '@pydantic/genai-prices';
import { monthlyStemOf } from './names.ts';

/** Names that the price table's rules stand for, taken apart. */
export interface Names {
  exact: string[];
  /** Beginnings and parts of names; what may follow is decided here, not by the table. */
  parts: Part[];
}

export interface Part {
  /** A name of the model; null for a rule that spells none. */
  text: string | null;
  /** Where in a name the model's own name ends; undefined for the name of another model. */
  endIn: (name: string) => number | undefined;
}

/**
 * Reads a rule of the table. All names in it are lower case afterwards.
 *
 * The table's beginnings are too greedy for us: `claude-sonnet-5…` also matches a later
 * `claude-sonnet-5-5`. A beginning is the name of the model, and what follows may only tell its
 * issues apart.
 */
export function namesOf(rule: MatchLogic): Names {
  if ('or' in rule) return merged(rule.or.map(namesOf));
  if ('and' in rule) return namesOfAll(rule.and);
  if ('equals' in rule) return { exact: [rule.equals.toLowerCase()], parts: [] };
  if ('starts_with' in rule) return onePart(rule.starts_with, 'start');
  if ('contains' in rule) return onePart(rule.contains, 'anywhere');
  if ('ends_with' in rule) return onePart(rule.ends_with, 'anywhere');
  return ofPattern(rule.regex);
}

const merged = (all: readonly Names[]): Names => ({
  exact: all.flatMap(({ exact }) => exact),
  parts: all.flatMap(({ parts }) => parts),
});

/** Names of any of the rules, as long as all of them agree. */
function namesOfAll(rules: readonly MatchLogic[]): Names {
  const { exact, parts } = merged(rules.map(namesOf));
  const agree = (name: string): boolean => rules.every((rule) => isMatch(rule, name));
  return {
    exact: exact.filter(agree),
    parts: parts.map((part) => ({
      ...part,
      endIn: (name) => (agree(name) ? part.endIn(name) : undefined),
    })),
  };
}

/** The rule as the table means it, of a name in lower case. */
export function isMatch(rule: MatchLogic, name: string): boolean {
  if ('or' in rule) return rule.or.some((one) => isMatch(one, name));
  if ('and' in rule) return rule.and.every((one) => isMatch(one, name));
  if ('equals' in rule) return name === rule.equals.toLowerCase();
  if ('starts_with' in rule) return name.startsWith(rule.starts_with.toLowerCase());
  if ('contains' in rule) return name.includes(rule.contains.toLowerCase());
  if ('ends_with' in rule) return name.endsWith(rule.ends_with.toLowerCase());
  return new RegExp(rule.regex, 'i').test(name);
}

// Of these the rest of the name is the customer's.
const FINE_TUNED = /^ft:|\.ft-$/;

function onePart(given: string, at: 'start' | 'anywhere'): Names {
  const text = given.toLowerCase();
  const endIn: Part['endIn'] = (name) => {
    const start = at === 'start' ? (name.startsWith(text) ? 0 : -1) : name.indexOf(text);
    if (start < 0 || (start > 0 && !/[./:@]/.test(name[start - 1] ?? ''))) return undefined;
    if (FINE_TUNED.test(text)) return name.length;
    const end = start + text.length;
    const stem = monthlyStemOf(name);
    if (stem.length > end) return undefined;
    // A rule that spells a part of the date, like `claude-sonnet-4-2025`, means this issue.
    return stem.length < end ? name.length : end;
  };
  return { exact: [], parts: [{ text, endIn }] };
}

/** A pattern without an end is as greedy as a beginning, and not as easily told what follows. */
function ofPattern(source: string): Names {
  if (!/^\^.*\$$/.test(source)) return { exact: [], parts: [] };
  const pattern = new RegExp(source, 'i');
  const endIn: Part['endIn'] = (name) =>
    pattern.test(name) ? monthlyStemOf(name).length : undefined;
  return { exact: [], parts: [{ text: null, endIn }] };
}
