import { isObject, type JsonObject, setMember } from './json-fields.ts';

/** Members that a later delta repeats or replaces, but never continues. */
const REPLACED = new Set(['id', 'type', 'role', 'name', 'index', 'format', 'model', 'status']);

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

/** The item that goes on is nearly always the last one, and a stream never has many at once. */
const MAX_CANDIDATES = 32;

function mergeItems(items: unknown[], added: readonly unknown[]): void {
  for (const item of added) {
    const same = isObject(item) && continuedItem(items.slice(-MAX_CANDIDATES), item);
    if (same) mergeDelta(same, item);
    else items.push(copyOf(item));
  }
}

const continuedItem = (items: readonly unknown[], item: JsonObject): JsonObject | undefined =>
  items.filter(isObject).findLast((known) => isContinued(known, item));

function isContinued(known: JsonObject, item: JsonObject): boolean {
  const { index, type, id, format } = item;
  if (known['index'] !== index || (type !== undefined && known['type'] !== type)) return false;
  if (typeof index === 'number') return true;
  return PIECES.has(type) && agree(known['id'], id) && agree(known['format'], format);
}

/** Whether two values are the same, or one of them is missing. */
const agree = (one: unknown, other: unknown): boolean =>
  (one ?? other ?? null) === (other ?? one ?? null);

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
