const DEEPEST = 100;

/**
 * Where a value holds what not every database can keep as it was sent, and what that is: NUL, half
 * a surrogate pair, a number beyond all numbers, or nesting beyond any use. Undefined for all other
 * values. Texts that are known to be fine are not looked at.
 */
export const findUnstorable = (
  value: unknown,
  place: string,
  texts: 'any' | 'fine' = 'any',
): string | undefined =>
  isStorable(value, 0, texts === 'any') ? undefined : problemOf(value, place, 0);

/** Nearly every value is: only for others the place is put together. */
function isStorable(value: unknown, depth: number, look: boolean): boolean {
  if (typeof value === 'string') return !look || isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEEPEST) return false;
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1, look));
  const members = value as Record<string, unknown>;
  for (const key in members)
    if ((look && !isStorableText(key)) || !isStorable(members[key], depth + 1, look)) return false;
  return true;
}

function problemOf(value: unknown, place: string, depth: number): string | undefined {
  if (typeof value === 'string') return problemOfText(value, place);
  // JSON's numbers have no end: those that no double holds are read as infinite, and kept as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${place}: too large a number`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return `${place}: nested more than ${DEEPEST} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`;
    const found = problemOfText(key, `${place}: a key`) ?? problemOf(inner, at, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/**
 * Where a value holds a member named `__proto__`, which schemas of records drop without a word. What
 * is recorded may have one; what somebody sets is either kept or refused.
 */
export function findDropped(value: unknown, place: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${place}.__proto__: no member can have this name`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`;
    const found = findDropped(inner, at);
    if (found) return found;
  }
  return undefined;
}

const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function problemOfText(text: string, place: string): string | undefined {
  if (text.includes('\0')) return `${place}: holds a NUL character`;
  if (!text.isWellFormed()) return `${place}: holds half a surrogate pair`;
  return undefined;
}
