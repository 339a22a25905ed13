const MAX_DEPTH = 100;

/**
 * Describes the first part of a JSON value that not every database can store unchanged: NUL, a lone
 * surrogate, a number out of range, or excessive nesting. Returns undefined if there is none.
 * `checkTexts` is false if the texts are known to be storable.
 */
export const findUnstorable = (
  value: unknown,
  path: string,
  checkTexts = true,
): string | undefined => (isStorable(value, 0, checkTexts) ? undefined : problemOf(value, path, 0));

/** Whether a value is storable. Nearly all values are, and this check builds no paths. */
function isStorable(value: unknown, depth: number, checkTexts: boolean): boolean {
  if (typeof value === 'string') return !checkTexts || isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1, checkTexts));
  const members = value as Record<string, unknown>;
  for (const key in members)
    if ((checkTexts && !isStorableText(key)) || !isStorable(members[key], depth + 1, checkTexts))
      return false;
  return true;
}

function problemOf(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') return problemOfText(value, path);
  // `JSON.parse` reads a number beyond the range of a double as infinity, which would be stored as
  // null.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path}: number out of range`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return `${path}: nested more than ${MAX_DEPTH} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = problemOfText(key, `${path}: a key`) ?? problemOf(inner, at, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Describes the first member named `__proto__`, which record schemas drop silently. Settings with
 * one are rejected; recorded data may contain it.
 */
export function findProtoMember(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${path}.__proto__: a member cannot have this name`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = findProtoMember(inner, at);
    if (problem) return problem;
  }
  return undefined;
}

const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function problemOfText(text: string, path: string): string | undefined {
  if (text.includes('\0')) return `${path}: contains a NUL character`;
  if (!text.isWellFormed()) return `${path}: contains a lone surrogate`;
  return undefined;
}
