const DEEPEST = 100;

/**
 * Finds what not every database can store unchanged, and describes it: NUL, a lone surrogate, a
 * number out of range, or excessive nesting. Undefined if there is none. With `fine`, texts are not
 * checked.
 */
export const findUnstorable = (
  value: unknown,
  path: string,
  texts: 'any' | 'fine' = 'any',
): string | undefined =>
  isStorable(value, 0, texts === 'any') ? undefined : problemOf(value, path, 0);

/** Fast path for nearly all values: the path is built only for others. */
function isStorable(value: unknown, depth: number, checkText: boolean): boolean {
  if (typeof value === 'string') return !checkText || isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEEPEST) return false;
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1, checkText));
  const members = value as Record<string, unknown>;
  for (const key in members)
    if ((checkText && !isStorableText(key)) || !isStorable(members[key], depth + 1, checkText))
      return false;
  return true;
}

function problemOf(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') return problemOfText(value, path);
  // JSON numbers are unbounded: those beyond a double parse as infinite, and would be stored as
  // null.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${path}: number out of range`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return `${path}: nested more than ${DEEPEST} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = problemOfText(key, `${path}: a key`) ?? problemOf(inner, at, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Finds members named `__proto__`, which record schemas drop silently. Recorded data may contain
 * them; settings are stored in full or rejected.
 */
export function findDropped(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${path}.__proto__: a member cannot have this name`;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = findDropped(inner, at);
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
