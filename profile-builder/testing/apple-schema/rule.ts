/** Constraints on a value, in the terms of Apple's schema for profiles. */
export type Rule =
  | { type: 'string'; oneOf?: readonly string[]; like?: RegExp }
  | { type: 'integer'; oneOf?: readonly number[]; from?: number }
  | { type: 'real' | 'boolean' | 'data' | 'date' | 'any' }
  | { type: 'array'; of: Rule; notEmpty?: true }
  | { type: 'dictionary'; keys: Keys }
  | { type: 'dictionary'; each: Rule };

/**
 * Keys known to macOS. `since` is the version that introduced the key, if later than the payload.
 */
export type Keys = Readonly<Record<string, Rule & { required?: true; since?: string }>>;

export type Dictionary = Readonly<Record<string, unknown>>;

export interface PayloadSchema {
  /** The first macOS version that supports this payload. */
  since: string;
  /** The channels through which it may be installed: the device's, a user's or both. */
  channels: readonly ('device' | 'user')[];
  /** Whether only user-approved or automated device enrollment may install it. */
  needsApprovedManagement: boolean;
  keys: Keys;
  /** Rules that involve several keys. Each returns its problems. */
  together: readonly ((payload: Dictionary) => string[])[];
}

/** Validates a value; returns one line per problem, with its path. */
export function checkRule(value: unknown, rule: Rule, path: string): string[] {
  if (!isOfType(value, rule.type)) return [`${path}: expected ${rule.type}`];
  switch (rule.type) {
    case 'string':
    case 'integer':
      return checkScalar(value as never, rule, path);
    case 'array':
      return checkArray(value as unknown[], rule, path);
    case 'dictionary':
      return 'keys' in rule
        ? checkKeys(value as Dictionary, rule.keys, path)
        : Object.entries(value as Dictionary).flatMap(([key, item]) =>
            checkRule(item, rule.each, `${path}.${key}`),
          );
    default:
      return [];
  }
}

/** Unknown keys are reported too: macOS would ignore them. */
export function checkKeys(dictionary: Dictionary, keys: Keys, path: string): string[] {
  const missing = Object.entries(keys)
    .filter(([key, rule]) => rule.required && !(key in dictionary))
    .map(([key]) => `${path}.${key}: is missing`);
  const problems = Object.entries(dictionary).flatMap(([key, value]) => {
    const rule = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!rule) return [`${path}.${key}: unknown key in this payload`];
    return checkRule(value, rule, `${path}.${key}`);
  });
  return [...missing, ...problems];
}

function checkScalar(
  value: string | number,
  rule: Extract<Rule, { type: 'string' | 'integer' }>,
  path: string,
): string[] {
  const allowed: readonly (string | number)[] | undefined = rule.oneOf;
  if (allowed && !allowed.includes(value))
    return [`${path}: expected one of ${allowed.join(', ')}`];

  if (rule.type === 'integer')
    return rule.from !== undefined && Number(value) < rule.from
      ? [`${path}: expected at least ${rule.from}`]
      : [];

  return rule.like?.test(String(value)) === false ? [`${path}: expected ${rule.like}`] : [];
}

function checkArray(
  items: unknown[],
  { of, notEmpty }: Extract<Rule, { type: 'array' }>,
  path: string,
): string[] {
  if (notEmpty && items.length === 0) return [`${path}: expected at least one item`];
  return items.flatMap((item, i) => checkRule(item, of, `${path}[${i}]`));
}

function isOfType(value: unknown, type: Rule['type']): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'real':
      return typeof value === 'number';
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'data':
      return value instanceof Uint8Array;
    case 'date':
      return value instanceof Date;
    case 'array':
      return Array.isArray(value);
    case 'dictionary':
      return isDictionary(value);
  }
}

export const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const bit = { type: 'integer', oneOf: [0, 1] } as const;
export const required = <const R extends Rule>(rule: R): R & { required: true } => ({
  ...rule,
  required: true,
});
export const list = <const R extends Rule>(of: R) => ({ type: 'array', of }) as const;

export const uuid = {
  type: 'string',
  like: /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/i,
} as const;
