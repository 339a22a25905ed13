/** What was refused, by the place that the service names: `rules.max_per_minute`. */
export interface FieldErrors {
  byPlace: Readonly<Record<string, string>>;
  /** What belongs to no field of the form. */
  other: string;
}

export const noErrors: FieldErrors = { byPlace: {}, other: '' };

const refusal = /^([^\s:;]+): (.+)$/s;
const between = /; (?=[^\s:;]+: |and \d+ more$)/;

/**
 * Of a line such as `rules.max_per_minute: expected a number; name: …`. What was tried out stands
 * in `policy` there.
 */
export function readFieldErrors(line: string, isField: (place: string) => boolean): FieldErrors {
  const byPlace: Record<string, string> = {};
  const other: string[] = [];
  for (const part of line.split(between)) {
    const [, named = '', message = ''] = refusal.exec(part) ?? [];
    const place = named.replace(/^policy\./, '');
    if (isField(place)) byPlace[place] = message;
    else other.push(part);
  }
  return { byPlace, other: other.join('; ') };
}

/** What was refused at a place, or inside of what is edited there as one text. */
export function errorWithin({ byPlace }: FieldErrors, place: string): string | undefined {
  const found = Object.entries(byPlace).flatMap(([at, message]) => {
    if (at === place) return [message];
    const [, line] = at.startsWith(place) ? (/^\[(\d+)\]/.exec(at.slice(place.length)) ?? []) : [];
    return line === undefined ? [] : [`line ${Number(line) + 1}: ${message}`];
  });
  return found.length === 0 ? undefined : found.join('; ');
}
