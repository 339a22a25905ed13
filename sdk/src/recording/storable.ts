// The server rejects more than 100 levels. An item is nested a few levels deep in its request.
const MAX_DEPTH = 80;
// Limits the time for densely connected graphs, which have an exponential number of paths.
const MAX_VALUES = 100_000;

interface Walk {
  ancestors: readonly unknown[];
  budget: Budget;
}

interface Budget {
  remaining: number;
  /** Whether a value was too deep or too large to be copied. */
  truncated: boolean;
}

/**
 * Copies any value to JSON that the server can store. Values that cannot be stored are replaced by
 * a placeholder, so that the rest of the record is not lost.
 */
export const toStorable = (value: unknown): unknown => copyStorable(value).copy;

/** Like `storable`; `isWhole` is false if the copy is truncated. */
export function copyStorable(value: unknown): { copy: unknown; isComplete: boolean } {
  const budget: Budget = { remaining: MAX_VALUES, truncated: false };
  return { copy: copy(value, { ancestors: [], budget }), isComplete: !budget.truncated };
}

function copy(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return toStorableText(value);
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return String(value);
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : copyObject(value, walk);
    default:
      return undefined;
  }
}

/** Removes NUL and replaces lone surrogates, which not every database can store. */
export const toStorableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function copyObject(value: object, { ancestors, budget }: Walk): unknown {
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length === MAX_DEPTH) return truncated(budget, '[too deep]');
  if (budget.remaining <= 0) return truncated(budget, '[too large]');
  budget.remaining -= 1;
  try {
    return copyInside(value, { ancestors: [...ancestors, value], budget });
  } catch {
    // A getter, a toJSON method or a proxy of the agent threw.
    return '[unreadable]';
  }
}

function truncated(budget: Budget, placeholder: string): string {
  budget.truncated = true;
  return placeholder;
}

function copyInside(value: object, inside: Walk): unknown {
  if (value instanceof Error)
    return { name: copy(value.name, inside), message: copy(value.message, inside) };
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return copy((value.toJSON as () => unknown)(), inside);
  if (Array.isArray(value)) return copyItems(value, inside);
  if (value instanceof Map) return copyFields([...value], inside);
  if (value instanceof Set) return copyItems([...value], inside);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return copyFields(Object.entries(value), inside);
}

function copyItems(items: readonly unknown[], walk: Walk): unknown[] {
  walk.budget.remaining -= items.length;
  if (walk.budget.remaining < 0) return [truncated(walk.budget, '[too large]')];
  return items.map((item) => copy(item, walk) ?? null);
}

function copyFields(fields: readonly [unknown, unknown][], walk: Walk): unknown {
  walk.budget.remaining -= fields.length;
  if (walk.budget.remaining < 0) return truncated(walk.budget, '[too large]');
  const entries: [string, unknown][] = [];
  for (const [key, inner] of fields) {
    const value = copy(inner, walk);
    if (value !== undefined) entries.push([keyOf(key, walk), value]);
  }
  return Object.fromEntries(entries);
}

// Only maps have keys that are not strings.
const keyOf = (key: unknown, walk: Walk): string =>
  typeof key === 'string' ? toStorableText(key) : (JSON.stringify(copy(key, walk)) ?? String(key));

/**
 * Wraps values that are not objects, because the wire format requires objects. Null becomes
 * undefined.
 */
export function toStorableRecord(value: unknown): Record<string, unknown> | undefined {
  const stored = toStorable(value);
  if (stored === undefined || stored === null) return undefined;
  const isRecord = typeof stored === 'object' && !Array.isArray(stored);
  return isRecord ? (stored as Record<string, unknown>) : { value: stored };
}
