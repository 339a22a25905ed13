import { LruMap } from '#lib/lru-map.ts';
import type { Detector } from './detector.ts';
import { distinct, namesIn } from './distinct-names.ts';
import { jsonLiterals } from './json-literals.ts';
import type { KeyPath, KeyRules } from './key-rules.ts';
import { count, type Counts, isPlaceholder, placeholderOf, redactInto } from './redact-text.ts';
import { isValueMember, nameBeside, namesBeside } from './value-members.ts';

export interface RedactionRules {
  detectors: readonly Detector[];
  keys: KeyRules;
}

/** Where a value stands, and the type of the key rule that it falls under. */
interface Place {
  path: KeyPath | undefined;
  type: string | undefined;
}

const ROOT: Place = { path: undefined, type: undefined };

/** Far deeper than any real value; what lies below is masked as a whole. */
const DEEPEST = 200;

/**
 * Replaces sensitive strings with placeholders. Under a key that a rule names, every string and number
 * is replaced as a whole. Other numbers, booleans, nulls and the structure stay. Member names stay
 * unless they contain a credential. JSON text inside a string is masked too. A value without changes
 * is returned as the same object.
 */
export const redactJson = <T>(value: T, rules: RedactionRules): Redacted<T> =>
  createJsonRedactor(rules)(value);

export interface Redacted<T> {
  value: T;
  counts: Counts;
}

/** `redactJson` for many values: what the detectors say of the name of a member is cached. */
export function createJsonRedactor(rules: RedactionRules): <T>(value: T) => Redacted<T> {
  const byMember = rules.detectors.filter((detector) => detector.ofMember !== undefined);
  const cached: CachedNames = {
    needsPath: rules.keys.some || byMember.length > 0,
    typeOfText: memberTypes(byMember),
    names: nameRedactor(rules.detectors.filter((detector) => detector.inNames)),
  };
  return <T>(value: T) => {
    const counts: Counts = {};
    return { value: redactorOf(rules, cached, counts)(value, ROOT, 0) as T, counts };
  };
}

/** What does not depend on the value. */
interface CachedNames {
  /** Some rule or detector depends on the path of a value. */
  needsPath: boolean;
  typeOfText: ReturnType<typeof memberTypes>;
  names: ReturnType<typeof nameRedactor>;
}

/** `beside` is the name that stands beside the value in its object. */
type Redact = (value: unknown, place: Place, depth: number, beside?: string) => unknown;

function redactorOf(
  { detectors, keys }: RedactionRules,
  { needsPath, typeOfText, names: { redactName, wantsName } }: CachedNames,
  counts: Counts,
): Redact {
  const enter = (place: Place, member: string): Place => {
    if (!needsPath || place.type !== undefined) return place;
    const path = { member, within: place.path };
    return { path, type: keys.typeAt(path) };
  };

  const replaced = (type: string): string => {
    count(counts, type);
    return placeholderOf(type);
  };

  const redactText = (text: string, place: Place, beside: string | undefined): string => {
    if (place.type !== undefined)
      return text === '' || isPlaceholder(text) ? text : replaced(place.type);
    const type = place.path && typeOfText(place.path, text, beside);
    if (type !== undefined) return replaced(type);
    return redactJsonText(text, place) ?? redactInto(counts, text, detectors);
  };

  /** Undefined if the text is not JSON. Only changed literals are replaced. */
  const redactJsonText = (text: string, place: Place): string | undefined => {
    const literals = jsonLiterals(text, place, enter, wantsName);
    if (!literals) return undefined;
    const names = namesIn(literals);
    const besides = namesBeside(literals);
    let redacted = '';
    let done = 0;
    for (const { start, end, value, place: at, object, isName: isOfMember, isCut } of literals) {
      const changed = isOfMember
        ? distinct(String(value), redactName(String(value), counts), names.get(object))
        : redact(value, at, 0, besides.get(object));
      if (changed === value) continue;
      const literal = JSON.stringify(changed);
      redacted += text.slice(done, start) + (isCut ? literal.slice(0, -1) : literal);
      done = end;
    }
    return redacted + text.slice(done);
  };

  const redact: Redact = (value, place, depth, beside) => {
    if (typeof value === 'string') return redactText(value, place, beside);
    if (typeof value === 'number' || typeof value === 'bigint')
      return place.type === undefined ? value : replaced(place.type);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return replaced('TOO_DEEP');
    if (Array.isArray(value))
      return sameUnlessChanged(value, (item) => redact(item, place, depth + 1));
    return redactMembers(value, place, depth);
  };

  const redactMembers = (value: object, place: Place, depth: number): object => {
    let changed: Record<string, unknown> | undefined;
    let hasSecretName = false;
    for (const member of Object.keys(value)) {
      const inner: unknown = (value as Record<string, unknown>)[member];
      const beside =
        typeof inner === 'string' && isValueMember(member) ? nameBeside(value) : undefined;
      const redacted = redact(inner, enter(place, member), depth + 1, beside);
      // The copy has a member of that name already, so that `__proto__` is one like any other.
      if (redacted !== inner) (changed ??= { ...value })[member] = redacted;
      hasSecretName ||= redactName(member, {}) !== member;
    }
    return hasSecretName ? renamed(changed ?? value) : (changed ?? value);
  };

  const renamed = (value: object): object => {
    const taken = new Set(Object.keys(value));
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        distinct(member, redactName(member, counts), taken),
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

/** Names of members repeat. A value may have any number of them, of any length. */
const MAX_CACHED_NAMES = 1000;
const MAX_CACHED_NAME_LENGTH = 64;

/** Decides whether the value of a member is of a type. */
interface Acceptor {
  type: string;
  accepts: (value: string) => boolean;
}

/**
 * The type of a text by the name of its member. A secret’s name also applies to a value nested in it,
 * or beside it.
 */
function memberTypes(byMember: readonly Detector[]) {
  const acceptors = new LruMap<string, readonly Acceptor[]>(MAX_CACHED_NAMES);
  const acceptorsOf = (member: string): readonly Acceptor[] => {
    const known = acceptors.get(member);
    if (known) return known;
    const made = byMember.flatMap(({ type, ofMember }) => {
      const accepts = ofMember?.(member);
      return accepts ? [{ type, accepts }] : [];
    });
    if (member.length <= MAX_CACHED_NAME_LENGTH) acceptors.set(member, made);
    return made;
  };

  const typeOfMember = (member: string, text: string): string | undefined =>
    isPlaceholder(text)
      ? undefined
      : acceptorsOf(member).find(({ accepts }) => accepts(text))?.type;

  return (
    { member, within }: KeyPath,
    text: string,
    beside: string | undefined,
  ): string | undefined => {
    const type = typeOfMember(member, text);
    if (type !== undefined || !isValueMember(member)) return type;
    const names = [beside, within?.member];
    return names
      .map((name) => (name === undefined ? undefined : typeOfMember(name, text)))
      .find((found) => found !== undefined);
  };
}

/** No key is shorter. */
const SHORTEST_SECRET_NAME = 15;

/** Redacts the names of members that contain a credential. */
function nameRedactor(inNames: readonly Detector[]) {
  const harmlessNames = new LruMap<string, true>(MAX_CACHED_NAMES);
  const redactName = (name: string, counts: Counts): string => {
    if (name.length < SHORTEST_SECRET_NAME || harmlessNames.get(name)) return name;
    const redacted = redactInto(counts, name, inNames);
    if (redacted === name && name.length <= MAX_CACHED_NAME_LENGTH) harmlessNames.set(name, true);
    return redacted;
  };
  /** Names that may contain a secret, and names that a new placeholder could collide with. */
  const wantsName = (name: string): boolean =>
    inNames.length > 0 && (name.length >= SHORTEST_SECRET_NAME || name.startsWith('##'));
  return { redactName, wantsName };
}
