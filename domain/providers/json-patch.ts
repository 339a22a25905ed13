import { isObject, setMember } from './json-fields.ts';

/** One change of a document, like JSON Patch (RFC 6902) but with an append operation. */
export interface Step {
  path: readonly string[];
  operation: string;
  value: unknown;
}

/** Longer paths are ignored; no real document is deeper. */
const MAX_PATH_LENGTH = 32;

/** Applies a change and creates missing parents. Impossible changes are ignored. */
export function changeAt(document: object, { path, operation, value: added }: Step): void {
  if (path.length > MAX_PATH_LENGTH || path.includes('__proto__')) return;
  // A copy, because later changes append to it.
  const value: unknown = typeof added === 'object' ? structuredClone(added) : added;
  let parent: object = document;
  for (const name of path.slice(0, -1)) parent = enter(parent, name);
  const name = path.at(-1);
  if (name === undefined) changeAll(document, operation, value);
  else if (operation === 'remove') remove(parent, name);
  else if (operation === 'append') put(parent, name, append(valueAt(parent, name), value));
  else put(parent, name, value);
}

function changeAll(document: object, operation: string, value: unknown): void {
  if (!isObject(value)) return;
  if (operation === 'replace' || operation === 'set')
    for (const name of Object.keys(document)) remove(document, name);
  for (const [name, inner] of Object.entries(value)) setMember(document, name, inner);
}

function enter(parent: object, name: string): object {
  const inner = valueAt(parent, name);
  if (typeof inner === 'object' && inner !== null) return inner;
  const made = {};
  put(parent, name, made);
  return made;
}

/** Parses a list index. `-1` is the last item; `-` and any number past the end append an item. */
function indexOf(items: readonly unknown[], name: string): number {
  if (name === '-1') return Math.max(0, items.length - 1);
  const index = /^\d{1,9}$/.test(name) ? Number(name) : items.length;
  return Math.min(index, items.length);
}

function valueAt(parent: object, name: string): unknown {
  if (Array.isArray(parent)) return parent[indexOf(parent, name)] as unknown;
  return Object.hasOwn(parent, name) ? (parent as Record<string, unknown>)[name] : undefined;
}

function put(parent: object, name: string, value: unknown): void {
  if (Array.isArray(parent)) parent[indexOf(parent, name)] = value;
  else setMember(parent, name, value);
}

function remove(parent: object, name: string): void {
  if (Array.isArray(parent)) parent.splice(indexOf(parent, name), 1);
  else delete (parent as Record<string, unknown>)[name];
}

/** Appends to a text, a list or an object; replaces any other value. */
function append(known: unknown, value: unknown): unknown {
  if (typeof known === 'string' && typeof value === 'string') return known + value;
  if (Array.isArray(known)) return appendItems(known, value);
  if (!isObject(known) || !isObject(value)) return value;
  for (const [name, inner] of Object.entries(value)) setMember(known, name, inner);
  return known;
}

/** DeepSeek appends to the text of the last fragment without naming it. */
function appendItems(items: unknown[], value: unknown): unknown[] {
  const last = items.at(-1);
  if (Array.isArray(value)) for (const item of value) items.push(item);
  else if (typeof value === 'string' && isObject(last) && typeof last['content'] === 'string')
    setMember(last, 'content', last['content'] + value);
  else items.push(value);
  return items;
}
