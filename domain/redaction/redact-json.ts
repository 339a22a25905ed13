import { LruMap } from '#lib/lru-map.ts';
import type { Detector } from './detector.ts';
import { namesIn, takenNames, uniqueName } from './unique-names.ts';
import { jsonLiterals } from './json-literals.ts';
import type { MemberPath, MemberRules } from './member-rules.ts';
import { count, type Counts, isPlaceholder, placeholderOf, redactInto } from './redact-text.ts';
import { isValueMember, siblingNameIn, siblingNames } from './value-members.ts';

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

/**
 * Replaces sensitive strings with placeholders. Under a key that a rule names, every string and
 * number is replaced as a whole. Other numbers, booleans, nulls and the structure stay. Member
 * names stay unless they contain a credential. JSON text inside a string is redacted too. An
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
  const byMember = rules.detectors.filter((detector) => detector.ofMember !== undefined);
  const cached: CachedNames = {
    needsPath: rules.keys.hasRules || byMember.length > 0,
    typeOfText: memberTypes(byMember),
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
  typeOfText: ReturnType<typeof memberTypes>;
  names: ReturnType<typeof nameRedactor>;
}

/** `siblingName` is the name given by a sibling member, as in `{"name": …, "value": …}`. */
type Redact = (value: unknown, location: Location, depth: number, siblingName?: string) => unknown;

function redactorOf(
  { detectors, keys }: RedactionRules,
  { needsPath, typeOfText, names: { redactName, wantsName } }: CachedNames,
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

  const redactText = (
    text: string,
    location: Location,
    siblingName: string | undefined,
  ): string => {
    if (location.type !== undefined)
      return text === '' || isPlaceholder(text) ? text : replaceWith(location.type);
    const type = location.path && typeOfText(location.path, text, siblingName);
    if (type !== undefined) return replaceWith(type);
    return redactJsonText(text, location) ?? redactInto(counts, text, detectors);
  };

  /** Returns undefined if the text is not JSON. Replaces only the literals that change. */
  const redactJsonText = (text: string, location: Location): string | undefined => {
    const literals = jsonLiterals(text, location, enter, wantsName);
    if (!literals) return undefined;
    const names = namesIn(literals);
    const siblings = siblingNames(literals);
    let redacted = '';
    let done = 0;
    for (const {
      start,
      end,
      value,
      location: at,
      object,
      isName: isMemberName,
      isTruncated,
    } of literals) {
      const changed = isMemberName
        ? uniqueName(String(value), redactName(String(value), counts), names.get(object))
        : redact(value, at, 0, siblings.get(object));
      if (changed === value) continue;
      const literal = JSON.stringify(changed);
      redacted += text.slice(done, start) + (isTruncated ? literal.slice(0, -1) : literal);
      done = end;
    }
    return redacted + text.slice(done);
  };

  const redact: Redact = (value, location, depth, siblingName) => {
    if (typeof value === 'string') return redactText(value, location, siblingName);
    if (typeof value === 'number' || typeof value === 'bigint')
      return location.type === undefined ? value : replaceWith(location.type);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return replaceWith('TOO_DEEP');
    if (Array.isArray(value))
      return sameUnlessChanged(value, (item) => redact(item, location, depth + 1));
    return redactMembers(value, location, depth);
  };

  const redactMembers = (value: object, location: Location, depth: number): object => {
    let changed: Record<string, unknown> | undefined;
    let hasSecretName = false;
    for (const member of Object.keys(value)) {
      const inner: unknown = (value as Record<string, unknown>)[member];
      const siblingName =
        typeof inner === 'string' && isValueMember(member) ? siblingNameIn(value) : undefined;
      const redacted = redact(inner, enter(location, member), depth + 1, siblingName);
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

function sameUnlessChanged<T>(items: T[], change: (item: T) => unknown): unknown[] {
  let isChanged = false;
  const changed = items.map((item) => {
    const result = change(item);
    isChanged ||= result !== item;
    return result;
  });
  return isChanged ? changed : items;
}

/** Member names repeat. A value may have any number of them, of any length. */
const MAX_CACHED_NAMES = 1000;
const MAX_CACHED_NAME_LENGTH = 64;

/** Decides whether a member's value is of a type. */
interface Acceptor {
  type: string;
  accepts: (value: string) => boolean;
}

/**
 * The type of a text by its member's name. The name of a secret also applies to nested values and
 * to a sibling that holds the value.
 */
function memberTypes(byMember: readonly Detector[]) {
  const acceptors = new LruMap<string, readonly Acceptor[]>(MAX_CACHED_NAMES);
  const acceptorsOf = (member: string): readonly Acceptor[] => {
    const known = acceptors.get(member);
    if (known) return known;
    const found = byMember.flatMap(({ type, ofMember }) => {
      const accepts = ofMember?.(member);
      return accepts ? [{ type, accepts }] : [];
    });
    if (member.length <= MAX_CACHED_NAME_LENGTH) acceptors.set(member, found);
    return found;
  };

  const typeOfMember = (member: string, text: string): string | undefined =>
    isPlaceholder(text)
      ? undefined
      : acceptorsOf(member).find(({ accepts }) => accepts(text))?.type;

  return (
    { member, parent }: MemberPath,
    text: string,
    siblingName: string | undefined,
  ): string | undefined => {
    const type = typeOfMember(member, text);
    if (type !== undefined || !isValueMember(member)) return type;
    const names = [siblingName, parent?.member];
    return names
      .map((name) => (name === undefined ? undefined : typeOfMember(name, text)))
      .find((found) => found !== undefined);
  };
}

/** The minimum length of a name that can contain a key. */
const MIN_SECRET_NAME_LENGTH = 15;

/** Redacts credentials in member names. */
function nameRedactor(inNames: readonly Detector[]) {
  const harmlessNames = new LruMap<string, true>(MAX_CACHED_NAMES);
  const redactName = (name: string, counts: Counts): string => {
    if (name.length < MIN_SECRET_NAME_LENGTH || harmlessNames.get(name)) return name;
    const redacted = redactInto(counts, name, inNames);
    if (redacted === name && name.length <= MAX_CACHED_NAME_LENGTH) harmlessNames.set(name, true);
    return redacted;
  };
  /** Names that may contain a secret, and names that a new placeholder could collide with. */
  const wantsName = (name: string): boolean =>
    inNames.length > 0 && (name.length >= MIN_SECRET_NAME_LENGTH || name.startsWith('##'));
  return { redactName, wantsName };
}
