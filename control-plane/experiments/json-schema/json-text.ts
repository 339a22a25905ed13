import { type Budget, chargeSteps } from './budget.ts';

/** Returns JSON with sorted members, which is the same text for equal values. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const STEPS_OF_VALUE = 2;
/** Higher than for a value, because members are sorted. */
const STEPS_OF_MEMBER = 10;

/**
 * Returns the canonical text, whose cost is charged first.
 *
 * @throws LimitReached
 */
export function canonicalWithin(budget: Budget, value: unknown): string {
  chargeValue(budget, value);
  return canonical(value);
}

function chargeValue(budget: Budget, value: unknown): void {
  chargeSteps(budget, typeof value === 'string' ? STEPS_OF_VALUE + value.length : STEPS_OF_VALUE);
  if (Array.isArray(value)) for (const item of value) chargeValue(budget, item);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      chargeSteps(budget, STEPS_OF_MEMBER + name.length);
      chargeValue(budget, member);
    }
}

/**
 * Returns why a value read from JSON differs from the written one or cannot be processed; undefined
 * if neither is the case.
 */
export function valueProblem(value: unknown, levels: number): string | undefined {
  if (!isAtMostDeep(value, levels)) return `has more than ${levels} levels of arrays and objects`;
  return hasInfinity(value) ? 'has a number that is out of range' : undefined;
}

function isAtMostDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isAtMostDeep(inner, levels - 1));
}

/**
 * Whether a value contains infinity, as which `JSON.parse` reads 1e400. JSON cannot represent it.
 */
export function hasInfinity(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : value === Infinity || value === -Infinity;
}

const MAX_SHOWN_LENGTH = 200;

/** Returns the beginning of a text from a schema or an output, for a message. */
export const truncateForMessage = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH
    ? `${text.slice(0, MAX_SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
    : text;
