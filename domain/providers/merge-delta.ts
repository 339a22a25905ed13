import { isObject, type JsonObject, setMember } from './json-fields.ts';

/** Members that a later delta repeats or replaces, but never continues. */
const REPLACED = new Set(['id', 'type', 'role', 'name', 'index', 'format', 'model', 'status']);

/** Members with the text of a list item. */
const TEXTS = ['text', 'summary'];

/**
 * Types of list items that are pieces of one text, even without an `index`: the reasoning of
 * OpenRouter and others, and of LiteLLM.
 */
const PIECES: ReadonlySet<unknown> = new Set(['reasoning.text', 'reasoning.summary', 'thinking']);

/**
 * Merges a delta into a message: texts and lists are appended, list items with the same type and
 * `index` are merged, and so are pieces of reasoning without an `index`. All other values are
 * replaced. An empty value never replaces another one.
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
    const same = isObject(item) && isContinuation(item) && sameItem(items, item);
    if (same) mergeDelta(same, item);
    else items.push(copyOf(item));
  }
}

const isContinuation = (item: JsonObject): boolean =>
  typeof item['index'] === 'number' || PIECES.has(item['type']);

/** Searches from the end: the match is nearly always the last item, and a stream never has many. */
function sameItem(items: readonly unknown[], item: JsonObject) {
  const oldest = Math.max(0, items.length - 32);
  return items
    .slice(oldest)
    .findLast(
      (known) =>
        isObject(known) &&
        known['index'] === item['index'] &&
        (item['type'] === undefined || known['type'] === item['type']) &&
        (typeof item['index'] === 'number' ||
          (agree(known, item, 'id') && agree(known, item, 'format'))),
    ) as object | undefined;
}

/** Whether both have the same value, or one of them none. */
const agree = (known: JsonObject, item: JsonObject, name: string): boolean =>
  (known[name] ?? item[name] ?? null) === (item[name] ?? known[name] ?? null);

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
