// The server refuses more than 100 levels; an item is a few levels deep inside its request.
const DEEPEST = 80;
// A graph with cycles has more paths than anyone could wait for: it is not followed to its end.
const MOST_VALUES = 100_000;

interface Walk {
  above: readonly unknown[];
  budget: Budget;
}

interface Budget {
  left: number;
  /** Something was too deep or too large to be followed. */
  shortened: boolean;
}

/**
 * A copy of any value that is sure to be JSON which the server can store. What cannot be kept is
 * replaced by a word that says so: recording must not fail, nor lose the rest of the item.
 */
export const storable = (value: unknown): unknown => storableCopy(value).copy;

/** The same, and whether it holds all that there is to the value. */
export function storableCopy(value: unknown): { copy: unknown; isWhole: boolean } {
  const budget: Budget = { left: MOST_VALUES, shortened: false };
  return { copy: copy(value, { above: [], budget }), isWhole: !budget.shortened };
}

function copy(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return storableText(value);
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

/** Neither NUL nor half a surrogate pair can be stored by every database. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function copyObject(value: object, { above, budget }: Walk): unknown {
  if (above.includes(value)) return '[circular]';
  if (above.length === DEEPEST) return shortened(budget, '[too deep]');
  if (budget.left <= 0) return shortened(budget, '[too large]');
  budget.left -= 1;
  try {
    return copyInside(value, { above: [...above, value], budget });
  } catch {
    // A getter, a toJSON or a proxy of the agent's own.
    return '[unreadable]';
  }
}

function shortened(budget: Budget, word: string): string {
  budget.shortened = true;
  return word;
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
  walk.budget.left -= items.length;
  if (walk.budget.left < 0) return [shortened(walk.budget, '[too large]')];
  return items.map((item) => copy(item, walk) ?? null);
}

function copyFields(fields: readonly [unknown, unknown][], walk: Walk): unknown {
  walk.budget.left -= fields.length;
  if (walk.budget.left < 0) return shortened(walk.budget, '[too large]');
  const kept: [string, unknown][] = [];
  for (const [key, inner] of fields) {
    const value = copy(inner, walk);
    if (value !== undefined) kept.push([keyOf(key, walk), value]);
  }
  return Object.fromEntries(kept);
}

// Only a map has keys that are no text.
const keyOf = (key: unknown, walk: Walk): string =>
  typeof key === 'string' ? storableText(key) : (JSON.stringify(copy(key, walk)) ?? String(key));

/** The wire wants objects where agents have any value. Nothing stays nothing. */
export function storableRecord(value: unknown): Record<string, unknown> | undefined {
  const kept = storable(value);
  if (kept === undefined || kept === null) return undefined;
  const isRecord = typeof kept === 'object' && !Array.isArray(kept);
  return isRecord ? (kept as Record<string, unknown>) : { value: kept };
}
