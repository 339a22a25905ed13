import { type Budget, namesOf, chargeSteps, matches } from './budget.ts';
import { canonical, canonicalWithin, truncateForMessage } from './json-text.ts';
import { isMultiple, stepsOfMultiple } from './multiple-of.ts';
import { type Check, failureAt, isObject, type Keyword, SchemaProblem } from './schema-node.ts';

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};

const type: Keyword = (value, { where }) => {
  // Repeated names would be compared each time.
  const names = [...new Set(strings(Array.isArray(value) ? value : [value], where))];
  const tests = names.map((name) => {
    const test = Object.hasOwn(isOfType, name) ? isOfType[name] : undefined;
    if (!test) throw new SchemaProblem(where, `unknown type "${truncateForMessage(name)}"`);
    return test;
  });
  const expected = `the type ${names.join(' or ')}`;
  return (instance) =>
    tests.some((test) => test(instance.value)) ? undefined : failureAt(instance, expected);
};

/** Checks that a value is one of these, by comparing their canonical texts. */
function oneOfValues(values: readonly unknown[], expected: string): Check {
  const texts = new Set(values.map(canonical));
  const all = `${expected} ${truncateForMessage([...texts].join(', '))}`;
  return (instance, budget) =>
    texts.has(canonicalWithin(budget, instance.value)) ? undefined : failureAt(instance, all);
}

const enumeration: Keyword = (values, { where }) => {
  if (!Array.isArray(values)) throw new SchemaProblem(where, 'expected an array');
  return oneOfValues(values, 'one of the values');
};

const constant: Keyword = (value) => oneOfValues([value], 'the value');

const number = (value: unknown, where: string): number => {
  if (typeof value !== 'number') throw new SchemaProblem(where, 'expected a number');
  return value;
};

/** Reads the length of texts, arrays or objects. */
export const length = (value: unknown, where: string): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new SchemaProblem(where, 'expected a non-negative integer');
  return value;
};

export function strings(value: unknown, where: string): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new SchemaProblem(where, 'expected an array of strings');
  return value;
}

/** Creates a keyword for numbers. */
const bound =
  (holds: (value: number, limit: number, budget: Budget) => boolean, expected: string): Keyword =>
  (value, { where }) => {
    const limit = number(value, where);
    const described = `${expected} ${limit}`;
    return (instance, budget) =>
      typeof instance.value !== 'number' || holds(instance.value, limit, budget)
        ? undefined
        : failureAt(instance, described);
  };

const multipleOf: Keyword = (value, of) => {
  if (number(value, of.where) <= 0)
    throw new SchemaProblem(of.where, 'expected a number greater than 0');
  return bound((found, limit, budget) => {
    chargeSteps(budget, stepsOfMultiple(found, limit));
    return isMultiple(found, limit);
  }, 'a multiple of')(value, of);
};

/**
 * Creates a keyword for the size of texts, arrays or objects. `sizeOf` returns undefined for values
 * of another type.
 */
const size =
  (
    sizeOf: (value: unknown, budget: Budget) => number | undefined,
    holds: (size: number, limit: number) => boolean,
    expected: string,
  ): Keyword =>
  (value, { where }) => {
    const limit = length(value, where);
    const described = `${expected} ${limit}`;
    return (instance, budget) => {
      const found = sizeOf(instance.value, budget);
      return found === undefined || holds(found, limit)
        ? undefined
        : failureAt(instance, described);
    };
  };

const atLeast = (size: number, limit: number) => size >= limit;
const atMost = (size: number, limit: number) => size <= limit;
/** Returns the length of a text in code points. */
function characters(value: unknown, budget: Budget): number | undefined {
  if (typeof value !== 'string') return undefined;
  chargeSteps(budget, value.length);
  let found = 0;
  for (const _ of value) found += 1;
  return found;
}
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown, budget: Budget) =>
  isObject(value) ? namesOf(value, budget).length : undefined;

const uniqueItems: Keyword = (value, { where }) => {
  if (typeof value !== 'boolean') throw new SchemaProblem(where, 'expected true or false');
  if (!value) return undefined;
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    const texts = new Set(instance.value.map((item) => canonicalWithin(budget, item)));
    return texts.size === instance.value.length ? undefined : failureAt(instance, 'unique items');
  };
};

const required: Keyword = (value, { where }) => {
  const names = strings(value, where);
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    chargeSteps(budget, names.length);
    const object = instance.value;
    const missing = names.find((name) => !Object.hasOwn(object, name));
    return missing === undefined
      ? undefined
      : failureAt(instance, `the property "${truncateForMessage(missing)}"`);
  };
};

const dependentRequired: Keyword = (value, of) => {
  if (!isObject(value)) throw new SchemaProblem(of.where, 'expected an object');
  const checks = Object.entries(value).map(
    ([name, names]) => [name, required(names, of) as Check] as const,
  );
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    chargeSteps(budget, checks.length);
    for (const [name, check] of checks) {
      const failure = Object.hasOwn(instance.value, name) ? check(instance, budget) : undefined;
      if (failure) return failure;
    }
    return undefined;
  };
};

const pattern: Keyword = (value, { reader, where }) => {
  const matcher = reader.pattern(value, where);
  const expected = `a string that matches the pattern ${truncateForMessage(String(value))}`;
  return (instance, budget) =>
    typeof instance.value !== 'string' || matches(matcher, instance.value, budget)
      ? undefined
      : failureAt(instance, expected);
};

/** Keywords that check the value itself. */
export const assertions: Readonly<Record<string, Keyword>> = {
  type,
  enum: enumeration,
  const: constant,
  multipleOf,
  minimum: bound((value, limit) => value >= limit, 'at least'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'more than'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
  minLength: size(characters, atLeast, 'a length of at least'),
  maxLength: size(characters, atMost, 'a length of at most'),
  pattern,
  minItems: size(items, atLeast, 'an item count of at least'),
  maxItems: size(items, atMost, 'an item count of at most'),
  uniqueItems,
  minProperties: size(members, atLeast, 'a property count of at least'),
  maxProperties: size(members, atMost, 'a property count of at most'),
  required,
  dependentRequired,
};
