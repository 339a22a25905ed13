/** Validation errors of the service, by path: `rules.max_per_minute`. */
export interface FieldErrors {
  byPath: Readonly<Record<string, string>>;
  /** Errors without a field in the form. */
  other: string;
}

export const noErrors: FieldErrors = { byPath: {}, other: '' };

const fieldError = /^([^\s:;]+): (.+)$/s;
const separator = /; (?=[^\s:;]+: |and \d+ more$)/;

/**
 * Parses a line such as `rules.max_per_minute: expected a number; name: …`. Simulations prefix the
 * paths with `policy.`.
 */
export function readFieldErrors(line: string, isField: (path: string) => boolean): FieldErrors {
  const byPath: Record<string, string> = {};
  const other: string[] = [];
  for (const part of line.split(separator)) {
    const [, prefixed = '', message = ''] = fieldError.exec(part) ?? [];
    const path = prefixed.replace(/^policy\./, '');
    if (isField(path)) byPath[path] = message;
    else other.push(part);
  }
  return { byPath, other: other.join('; ') };
}

/** The error at a path, or at the lines of a list that is edited as one text. */
export function errorWithin({ byPath }: FieldErrors, path: string): string | undefined {
  const messages = Object.entries(byPath).flatMap(([at, message]) => {
    if (at === path) return [message];
    const [, line] = at.startsWith(path) ? (/^\[(\d+)\]/.exec(at.slice(path.length)) ?? []) : [];
    return line === undefined ? [] : [`line ${Number(line) + 1}: ${message}`];
  });
  return messages.length === 0 ? undefined : messages.join('; ');
}
