import { isObject, setMember } from './json-fields.ts';

/** Said again, or for the first time, by a later delta; never continued. */
const REPLACED = new Set(['id', 'type', 'role', 'name', 'index', 'format', 'model', 'status']);

/**
 * Adds to a message what a delta brings: texts and lists grow, items of lists with the same type
 * and `index` are one, all else is replaced. What is there does not become empty.
 */
export function mergeDelta(target: object, delta: object): void {
  for (const [name, value] of Object.entries(delta)) {
    const known = Object.hasOwn(target, name)
      ? (target as Record<string, unknown>)[name]
      : undefined;
    if (known === undefined || known === null) setMember(target, name, copyOf(value));
    else if (value !== null && value !== '')
      setMember(target, name, REPLACED.has(name) ? value : mergedOf(known, value));
  }
}

function mergedOf(known: unknown, value: unknown): unknown {
  if (typeof known === 'string' && typeof value === 'string') return known + value;
  if (Array.isArray(known) && Array.isArray(value)) mergeItems(known, value);
  else if (isObject(known) && isObject(value)) mergeDelta(known, value);
  else return value;
  return known;
}

function mergeItems(items: unknown[], added: readonly unknown[]): void {
  for (const item of added) {
    const same = isObject(item) && typeof item['index'] === 'number' && sameItem(items, item);
    if (same) mergeDelta(same, item);
    else items.push(copyOf(item));
  }
}

/** Looked for from the end: it is nearly always the last, and a stream never has many. */
function sameItem(items: readonly unknown[], item: { readonly [name: string]: unknown }) {
  const oldest = Math.max(0, items.length - 32);
  return items
    .slice(oldest)
    .findLast(
      (known) =>
        isObject(known) &&
        known['index'] === item['index'] &&
        (item['type'] === undefined || known['type'] === item['type']),
    ) as object | undefined;
}

/** An object or list of its own, because it grows; an event may be read again. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    mergeItems(items, value);
    return items;
  }
  if (!isObject(value)) return value;
  const copy = {};
  mergeDelta(copy, value);
  return copy;
}
