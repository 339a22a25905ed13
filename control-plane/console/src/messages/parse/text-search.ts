import { isObject } from './json.ts';

const special = /[\\^$.*+?()[\]{}|/]/g;

/** Creates a matcher that finds a text anywhere, ignoring case; undefined for an empty text. */
export const matcherOf = (text: string): RegExp | undefined =>
  text === '' ? undefined : new RegExp(text.replaceAll(special, String.raw`\$&`), 'giu');

/** Whether a matcher finds a match in a text. */
export function hasMatch(matcher: RegExp, text: string): boolean {
  matcher.lastIndex = 0;
  return matcher.test(text);
}

/** The objects and lists in a value that contain a match, at any depth. Not recursive. */
export function objectsWithMatch(matcher: RegExp, value: unknown): Set<object> {
  const found = new Set<object>();
  const parents = new Map<object, object | null>();
  const waiting: object[] = [];
  const visit = (item: unknown, parent: object | null): void => {
    if (typeof item === 'object' && item !== null) {
      parents.set(item, parent);
      waiting.push(item);
    } else if (parent && hasMatch(matcher, String(item))) mark(parent, parents, found);
  };
  visit(value, null);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const object = next;
    if (isObject(object) && Object.keys(object).some((name) => hasMatch(matcher, name)))
      mark(object, parents, found);
    for (const item of Object.values(object)) visit(item, object);
  }
  return found;
}

function mark(
  object: object,
  parents: ReadonlyMap<object, object | null>,
  found: Set<object>,
): void {
  for (let at: object | null | undefined = object; at && !found.has(at); at = parents.get(at))
    found.add(at);
}
