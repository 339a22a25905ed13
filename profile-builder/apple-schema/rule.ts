/** What a value must be, in the words of Apple's schema for profiles. */
export type Rule =
  | { type: 'string'; oneOf?: readonly string[]; like?: RegExp }
  | { type: 'integer'; oneOf?: readonly number[]; from?: number }
  | { type: 'real' | 'boolean' | 'data' | 'date' | 'any' }
  | { type: 'array'; of: Rule; notEmpty?: true }
  | { type: 'dictionary'; keys: Keys }
  | { type: 'dictionary'; each: Rule };

/** The keys that macOS knows, `since` which version if not since the payload's own. */
export type Keys = Readonly<Record<string, Rule & { required?: true; since?: string }>>;

export type Dictionary = Readonly<Record<string, unknown>>;

export interface PayloadSchema {
  /** The first macOS with this payload. */
  since: string;
  /** Whose settings it may be: the device's, a user's or both. */
  channels: readonly ('device' | 'user')[];
  /** Only device management that the user or an enrollment program approved may install it. */
  needsApprovedManagement: boolean;
  keys: Keys;
  /** Rules about several keys at once: each answers what is wrong. */
  together: readonly ((payload: Dictionary) => string[])[];
}

/** What is wrong with a value, each line with the place where. */
export function checkRule(value: unknown, rule: Rule, where: string): string[] {
  if (!isOfType(value, rule.type)) return [`${where}: expected ${rule.type}`];
  switch (rule.type) {
    case 'string':
    case 'integer':
      return checkScalar(value as never, rule, where);
    case 'array':
      return checkArray(value as unknown[], rule, where);
    case 'dictionary':
      return 'keys' in rule
        ? checkKeys(value as Dictionary, rule.keys, where)
        : Object.entries(value as Dictionary).flatMap(([key, item]) =>
            checkRule(item, rule.each, `${where}.${key}`),
          );
    default:
      return [];
  }
}

/** Keys that the schema does not have are findings too: macOS would ignore them. */
export function checkKeys(dictionary: Dictionary, keys: Keys, where: string): string[] {
  const missing = Object.entries(keys)
    .filter(([key, rule]) => rule.required && !(key in dictionary))
    .map(([key]) => `${where}.${key}: is missing`);
  const found = Object.entries(dictionary).flatMap(([key, value]) => {
    const rule = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!rule) return [`${where}.${key}: is no key of this payload`];
    return checkRule(value, rule, `${where}.${key}`);
  });
  return [...missing, ...found];
}

function checkScalar(
  value: string | number,
  rule: Extract<Rule, { type: 'string' | 'integer' }>,
  where: string,
): string[] {
  const allowed: readonly (string | number)[] | undefined = rule.oneOf;
  if (allowed && !allowed.includes(value)) {
    return [`${where}: expected one of ${allowed.join(', ')}`];
  }
  if (rule.type === 'integer') {
    return rule.from !== undefined && Number(value) < rule.from
      ? [`${where}: expected at least ${rule.from}`]
      : [];
  }
  return rule.like?.test(String(value)) === false ? [`${where}: expected ${rule.like}`] : [];
}

function checkArray(
  items: unknown[],
  { of, notEmpty }: Extract<Rule, { type: 'array' }>,
  where: string,
): string[] {
  if (notEmpty && items.length === 0) return [`${where}: expected at least one item`];
  return items.flatMap((item, i) => checkRule(item, of, `${where}[${i}]`));
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
