import { detached } from '#lib/detached.ts';
import { LruMap } from '#lib/lru-map.ts';
import type { Detector } from './detector.ts';
import { namesIn, takenNames, uniqueName } from './unique-names.ts';
import { jsonIslands, type JsonLiteral, jsonLiterals } from './json-literals.ts';
import type { MemberPath, MemberRules } from './member-rules.ts';
import {
  MAX_CACHED_NAME_LENGTH,
  MAX_CACHED_NAMES,
  memberTypes,
  type OtherName,
  type TypeOfMember,
} from './member-types.ts';
import { count, type Counts, isPlaceholder, placeholderOf, redactInto } from './redact-text.ts';
import {
  dependsOnSiblings,
  nameBySiblings,
  optionName,
  type Siblings,
  siblingsIn,
  siblingsInText,
} from './value-members.ts';

export interface RedactionRules {
  detectors: readonly Detector[];
  keys: MemberRules;
}

/** The path of a value, and the type of the key rule that applies to it. */
interface Location {
  path: MemberPath | undefined;
  type: string | undefined;
}

const ROOT: Location = { path: undefined, type: undefined };

/** Far deeper than any real value. Anything deeper is redacted as a whole. */
const MAX_DEPTH = 200;

/** JSON within the strings of JSON within text is searched only so deep, each time in full. */
const MAX_NESTED_ISLANDS = 3;

/**
 * Replaces sensitive strings with placeholders. Under a key that a rule names, every string and
 * number is replaced as a whole. Other numbers are replaced if a detector recognizes them by the
 * name of their member. Booleans, nulls and the structure stay. Member names stay unless they
 * contain a credential. JSON text inside a string is redacted too, also between other text. An
 * unchanged value is returned as the same object.
 */
export const redactJson = <T>(value: T, rules: RedactionRules): Redacted<T> =>
  createJsonRedactor(rules)(value);

export interface Redacted<T> {
  value: T;
  counts: Counts;
}

/** `redactJson` for many values: caches the detectors' results for member names. */
export function createJsonRedactor(rules: RedactionRules): <T>(value: T) => Redacted<T> {
  const byMember = rules.detectors.filter(({ ofMember, ofNumber }) => ofMember ?? ofNumber);
  const cached: CachedNames = {
    needsPath:
      rules.keys.hasRules ||
      byMember.length > 0 ||
      rules.detectors.some(({ excludes }) => excludes),
    typeOf: memberTypes(byMember),
    names: nameRedactor(rules.detectors.filter((detector) => detector.inNames)),
  };
  return <T>(value: T) => {
    const counts: Counts = {};
    return { value: redactorOf(rules, cached, counts)(value, ROOT, 0) as T, counts };
  };
}

/** State that is shared by all values. */
interface CachedNames {
  /** Whether some rule or detector depends on the path of a value. */
  needsPath: boolean;
  typeOf: TypeOfMember;
  names: ReturnType<typeof nameRedactor>;
}

type Redact = (value: unknown, location: Location, depth: number, other?: OtherName) => unknown;

function redactorOf(
  { detectors, keys }: RedactionRules,
  { needsPath, typeOf, names: { redactName, wantsName } }: CachedNames,
  counts: Counts,
): Redact {
  const enter = (location: Location, member: string): Location => {
    if (!needsPath || location.type !== undefined) return location;
    const path = { member, parent: location.path };
    return { path, type: keys.typeAt(path) };
  };

  const replaceWith = (type: string): string => {
    count(counts, type);
    return placeholderOf(type);
  };

  const redactNumber = (value: number | bigint, location: Location, other?: OtherName): unknown => {
    const type = location.type ?? typeOf(location.path, value, other);
    return type === undefined ? value : replaceWith(type);
  };

  /** The placeholder of a text that its member or a key rule identifies. */
  const replacedByName = (
    text: string,
    location: Location,
    other: OtherName | undefined,
  ): string | undefined => {
    if (location.type !== undefined)
      return text === '' || isPlaceholder(text) ? text : replaceWith(location.type);
    const type = typeOf(location.path, text, other);
    return type === undefined ? undefined : replaceWith(type);
  };

  const typeOfItems = itemTypes(detectors);
  const excluding = detectors.filter(({ excludes }) => excludes);
  const detectorsFor = ({ path }: Location, text: string): readonly Detector[] =>
    path && excluding.some(({ excludes }) => excludes?.(path.member, text))
      ? detectors.filter(({ excludes }) => !excludes?.(path.member, text))
      : detectors;

  const redactText = (text: string, location: Location, other: OtherName | undefined): string =>
    replacedByName(text, location, other) ??
    redactJsonText(text, location) ??
    redactIslands(redactInto(counts, text, detectorsFor(location, text)), location);

  /** Returns undefined if the text is not JSON. Replaces only the literals that change. */
  const redactJsonText = (text: string, location: Location): string | undefined => {
    const literals = jsonLiterals(text, location, enter, wantsName);
    if (!literals) return undefined;
    const names = namesIn(literals);
    const siblings = siblingsInText(literals);
    return replaceLiterals(text, literals, (literal) => {
      const { value, location, object, items } = literal;
      const type = items && typeOfItems(items, location);
      if (type !== undefined) return replaceWith(type);
      return literal.isName
        ? uniqueName(String(value), redactName(String(value), counts), names.get(object))
        : redact(value, location, 0, otherNameOf(literal, siblings.get(object)));
    });
  };

  let nestedIslands = 0;
  /** Redacts JSON between other text, all of which the detectors have searched already. */
  const redactIslands = (text: string, location: Location): string => {
    if (!needsPath || nestedIslands === MAX_NESTED_ISLANDS) return text;
    const literals = jsonIslands(text, location, enter);
    const siblings = siblingsInText(literals);
    nestedIslands += 1;
    const redacted = replaceLiterals(text, literals, (literal) => {
      const { start, end, value, location } = literal;
      const other = otherNameOf(literal, siblings.get(literal.object));
      const isPlain = typeof value === 'string' && !text.slice(start, end).includes('\\');
      return isPlain
        ? (replacedByName(value, location, other) ?? value)
        : redact(value, location, 0, other);
    });
    nestedIslands -= 1;
    return redacted;
  };

  const redact: Redact = (value, location, depth, other) => {
    if (typeof value === 'string') return redactText(value, location, other);
    if (typeof value === 'number' || typeof value === 'bigint')
      return redactNumber(value, location, other);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return replaceWith('TOO_DEEP');
    if (Array.isArray(value)) {
      const type = typeOfItems(value, location);
      if (type !== undefined) return value.map(() => replaceWith(type));
      return sameUnlessChanged(value, (item, index) =>
        redact(item, location, depth + 1, byItemsBefore(value, index)),
      );
    }
    return redactMembers(value, location, depth);
  };

  const redactMembers = (value: object, location: Location, depth: number): object => {
    let changed: Record<string, unknown> | undefined;
    let siblings: Siblings | undefined;
    let hasSecretName = false;
    for (const member of Object.keys(value)) {
      const inner: unknown = (value as Record<string, unknown>)[member];
      if (dependsOnSiblings(member)) siblings ??= siblingsIn(value);
      const other = bySiblings(siblings, member);
      const redacted = redact(inner, enter(location, member), depth + 1, other);
      // The copy already has an own member of that name, so assigning `__proto__` is safe.
      if (redacted !== inner) (changed ??= { ...value })[member] = redacted;
      hasSecretName ||= redactName(member, {}) !== member;
    }
    return hasSecretName ? renamed(changed ?? value) : (changed ?? value);
  };

  const renamed = (value: object): object => {
    const taken = takenNames(Object.keys(value));
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        uniqueName(member, redactName(member, counts), taken),
        inner,
      ]),
    );
  };
  return redact;
}

/**
 * The type of a list whose items together are one value, if no key rule applies to it. It is asked for
 * each item of JSON text, and a list is tested once.
 */
function itemTypes(detectors: readonly Detector[]) {
  const ofLists = detectors.filter(({ ofItems }) => ofItems);
  let last: { items: readonly unknown[]; type: string | undefined } | undefined;
  return (items: readonly unknown[], { type }: Location): string | undefined => {
    if (type !== undefined) return undefined;
    if (last?.items !== items)
      last = { items, type: ofLists.find(({ ofItems }) => ofItems?.(items))?.type };
    return last.type;
  };
}

function bySiblings(siblings: Siblings | undefined, member: string): OtherName | undefined {
  const name = siblings && nameBySiblings(siblings, member);
  return name === undefined ? undefined : { name, isPair: false };
}

function byOption(itemBefore: unknown): OtherName | undefined {
  const name = optionName(itemBefore);
  return name === undefined ? undefined : { name, isPair: false };
}

function byItemsBefore(list: readonly unknown[], index: number): OtherName | undefined {
  const name = list[index - 1];
  const isPair = list.length === 2 && typeof name === 'string' && typeof list[index] === 'string';
  return byOption(name) ?? (isPair ? { name, isPair } : undefined);
}

const otherNameOf = (
  { location: { path }, pairedWith, itemBefore }: JsonLiteral<Location>,
  siblings: Siblings | undefined,
): OtherName | undefined =>
  byOption(itemBefore) ??
  (pairedWith === undefined
    ? path && bySiblings(siblings, path.member)
    : { name: pairedWith, isPair: true });

/** Replaces the literals whose values change; the other text stays as it is. */
function replaceLiterals(
  text: string,
  literals: readonly JsonLiteral<Location>[],
  change: (literal: JsonLiteral<Location>) => unknown,
): string {
  let redacted = '';
  let done = 0;
  for (const literal of literals) {
    const changed = change(literal);
    if (changed === literal.value) continue;
    const json = JSON.stringify(changed);
    redacted += text.slice(done, literal.start) + (literal.isTruncated ? json.slice(0, -1) : json);
    done = literal.end;
  }
  return redacted + text.slice(done);
}

function sameUnlessChanged<T>(items: T[], change: (item: T, index: number) => unknown): unknown[] {
  let isChanged = false;
  const changed = items.map((item, index) => {
    const result = change(item, index);
    isChanged ||= result !== item;
    return result;
  });
  return isChanged ? changed : items;
}

/** The minimum length of a name that can contain a key. */
const MIN_SECRET_NAME_LENGTH = 15;

/** Redacts credentials in member names. */
function nameRedactor(inNames: readonly Detector[]) {
  const harmlessNames = new LruMap<string, true>(MAX_CACHED_NAMES);
  const redactName = (name: string, counts: Counts): string => {
    if (name.length < MIN_SECRET_NAME_LENGTH || harmlessNames.peek(name)) return name;
    const redacted = redactInto(counts, name, inNames);
    if (redacted === name && name.length <= MAX_CACHED_NAME_LENGTH)
      harmlessNames.set(detached(name), true);
    return redacted;
  };
  /** Names that may contain a secret, and names that a new placeholder could collide with. */
  const wantsName = (name: string): boolean =>
    inNames.length > 0 && (name.length >= MIN_SECRET_NAME_LENGTH || name.startsWith('##'));
  return { redactName, wantsName };
}
