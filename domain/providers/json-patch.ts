import { isObject, setMember } from './json-fields.ts';

/** One change of a document, like JSON Patch (RFC 6902) but with an append operation. */
export interface Step {
  path: readonly string[];
  operation: string;
  value: unknown;
}

/** Longer paths are ignored; no real document is deeper. */
const LONGEST_PATH = 32;

/** Applies a change and creates missing parents. Impossible changes are ignored. */
export function changeAt(document: object, { path, operation, value: added }: Step): void {
  if (path.length > LONGEST_PATH || path.includes('__proto__')) return;
  // A copy, because later changes append to it.
  const value: unknown = typeof added === 'object' ? structuredClone(added) : added;
  let place: object = document;
  for (const name of path.slice(0, -1)) place = entered(place, name);
  const name = path.at(-1);
  if (name === undefined) changeAll(document, operation, value);
  else if (operation === 'remove') remove(place, name);
  else if (operation === 'append') put(place, name, appended(valueAt(place, name), value));
  else put(place, name, value);
}

function changeAll(document: object, operation: string, value: unknown): void {
  if (!isObject(value)) return;
  if (operation === 'replace' || operation === 'set')
    for (const name of Object.keys(document)) remove(document, name);
  for (const [name, inner] of Object.entries(value)) setMember(document, name, inner);
}

function entered(place: object, name: string): object {
  const inner = valueAt(place, name);
  if (typeof inner === 'object' && inner !== null) return inner;
  const made = {};
  put(place, name, made);
  return made;
}

/** Parses a list index. `-1` is the last item; `-` and any number past the end append an item. */
function indexOf(items: readonly unknown[], name: string): number {
  if (name === '-1') return Math.max(0, items.length - 1);
  const index = /^\d{1,9}$/.test(name) ? Number(name) : items.length;
  return Math.min(index, items.length);
}

function valueAt(place: object, name: string): unknown {
  if (Array.isArray(place)) return place[indexOf(place, name)] as unknown;
  return Object.hasOwn(place, name) ? (place as Record<string, unknown>)[name] : undefined;
}

function put(place: object, name: string, value: unknown): void {
  if (Array.isArray(place)) place[indexOf(place, name)] = value;
  else setMember(place, name, value);
}

function remove(place: object, name: string): void {
  if (Array.isArray(place)) place.splice(indexOf(place, name), 1);
  else delete (place as Record<string, unknown>)[name];
}

/** Appends to a text, a list or an object; replaces any other value. */
function appended(known: unknown, value: unknown): unknown {
  if (typeof known === 'string' && typeof value === 'string') return known + value;
  if (Array.isArray(known)) return grownList(known, value);
  if (!isObject(known) || !isObject(value)) return value;
  for (const [name, inner] of Object.entries(value)) setMember(known, name, inner);
  return known;
}

/** DeepSeek appends to the text of the last fragment without naming it. */
function grownList(items: unknown[], value: unknown): unknown[] {
  const last = items.at(-1);
  if (Array.isArray(value)) for (const item of value) items.push(item);
  else if (typeof value === 'string' && isObject(last) && typeof last['content'] === 'string')
    setMember(last, 'content', last['content'] + value);
  else items.push(value);
  return items;
}
