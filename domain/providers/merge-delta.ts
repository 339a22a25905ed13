import { isObject, type JsonObject, setMember } from './json-fields.ts';

/** Members that a later delta repeats or replaces, but never continues. */
const REPLACED = new Set(['id', 'type', 'role', 'name', 'index', 'format', 'model', 'status']);

/** Members with the text of a list item. */
const TEXTS = ['text', 'summary'];

/**
 * Merges a delta into a message: texts and lists are appended, all other values are replaced. A list
 * item is merged with the one of the same type and `index`, or without an `index` with the last one
 * if both are pieces of text. An empty value never replaces another one.
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
    const same = isObject(item) && sameItem(items, item);
    if (same) mergeDelta(same, item);
    else items.push(copyOf(item));
  }
}

function sameItem(items: readonly unknown[], item: JsonObject): object | undefined {
  if (typeof item['index'] === 'number') return indexedItem(items, item);
  const last = items.at(-1);
  return isObject(last) && continuesText(last, item) ? last : undefined;
}

/** Whether an item is the next piece of a text: OpenRouter omits the `index` of reasoning details. */
const continuesText = (last: JsonObject, item: JsonObject): boolean =>
  typeof item['type'] === 'string' &&
  last['type'] === item['type'] &&
  (item['id'] === undefined || item['id'] === null || item['id'] === last['id']) &&
  TEXTS.some((name) => typeof last[name] === 'string' && typeof item[name] === 'string');

/** Searches from the end: the match is nearly always the last item, and a stream never has many. */
function indexedItem(items: readonly unknown[], item: JsonObject) {
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

/** A copy, because deltas are appended to it and the event may be read again. */
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
