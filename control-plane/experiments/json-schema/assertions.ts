import { spend } from './budget.ts';
import { canonical } from './json-text.ts';
import { isMultiple } from './multiple-of.ts';
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
  const names = strings(Array.isArray(value) ? value : [value], where);
  const tests = names.map((name) => {
    const test = Object.hasOwn(isOfType, name) ? isOfType[name] : undefined;
    if (!test) throw new SchemaProblem(where, `there is no type "${name}"`);
    return test;
  });
  return (instance) =>
    tests.some((test) => test(instance.value))
      ? undefined
      : failureAt(instance, `the type ${names.join(' or ')}`);
};

/** One of these values. Texts are compared, which cost what they are long. */
function oneOfValues(values: readonly unknown[], expected: string): Check {
  const texts = new Set(values.map(canonical));
  return (instance, budget) => {
    const text = canonical(instance.value);
    spend(budget, text.length);
    return texts.has(text) ? undefined : failureAt(instance, expected);
  };
}

const enumeration: Keyword = (values, { where }) => {
  if (!Array.isArray(values)) throw new SchemaProblem(where, 'expected an array');
  return oneOfValues(values, 'one of the values of the enum');
};

const constant: Keyword = (value) => oneOfValues([value], 'the value of the const');

const number = (value: unknown, where: string): number => {
  if (typeof value !== 'number') throw new SchemaProblem(where, 'expected a number');
  return value;
};

const length = (value: unknown, where: string): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new SchemaProblem(where, 'expected an integer that is not negative');
  return value;
};

export function strings(value: unknown, where: string): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new SchemaProblem(where, 'expected texts');
  return value;
}

/** A keyword for numbers. */
const bound =
  (holds: (value: number, limit: number) => boolean, expected: string): Keyword =>
  (value, { where }) => {
    const limit = number(value, where);
    return (instance) =>
      typeof instance.value !== 'number' || holds(instance.value, limit)
        ? undefined
        : failureAt(instance, `${expected} ${limit}`);
  };

const multipleOf: Keyword = (value, of) => {
  if (number(value, of.where) <= 0) throw new SchemaProblem(of.where, 'expected more than 0');
  return bound(isMultiple, 'a multiple of')(value, of);
};

/** A keyword for the size of texts, arrays or objects; undefined: of something else. */
const size =
  (
    sizeOf: (value: unknown) => number | undefined,
    holds: (size: number, limit: number) => boolean,
    expected: string,
  ): Keyword =>
  (value, { where }) => {
    const limit = length(value, where);
    return (instance, budget) => {
      const found = sizeOf(instance.value);
      if (found === undefined) return undefined;
      spend(budget, found);
      return holds(found, limit) ? undefined : failureAt(instance, `${expected} ${limit}`);
    };
  };

const atLeast = (size: number, limit: number) => size >= limit;
const atMost = (size: number, limit: number) => size <= limit;
/** Of a text in code points. */
const characters = (value: unknown) =>
  typeof value === 'string' ? Array.from(value).length : undefined;
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

const uniqueItems: Keyword = (value, { where }) => {
  if (typeof value !== 'boolean') throw new SchemaProblem(where, 'expected true or false');
  if (!value) return undefined;
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    const texts = instance.value.map((item) => {
      const text = canonical(item);
      spend(budget, text.length);
      return text;
    });
    return new Set(texts).size === texts.length
      ? undefined
      : failureAt(instance, 'items that differ');
  };
};

const required: Keyword = (value, { where }) => {
  const names = strings(value, where);
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    spend(budget, names.length);
    const object = instance.value;
    const missing = names.find((name) => !Object.hasOwn(object, name));
    return missing === undefined ? undefined : failureAt(instance, `the member "${missing}"`);
  };
};

const dependentRequired: Keyword = (value, of) => {
  if (!isObject(value)) throw new SchemaProblem(of.where, 'expected an object');
  const checks = Object.entries(value).map(
    ([name, names]) => [name, required(names, of) as Check] as const,
  );
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    spend(budget, checks.length);
    for (const [name, check] of checks) {
      const failure = Object.hasOwn(instance.value, name) ? check(instance, budget) : undefined;
      if (failure) return failure;
    }
    return undefined;
  };
};

const pattern: Keyword = (value, { reader, where }) => {
  const matcher = reader.pattern(value, where);
  return (instance, budget) => {
    if (typeof instance.value !== 'string') return undefined;
    spend(budget, matcher.programSize() * (instance.value.length + 1));
    return matcher.matcher(instance.value).find()
      ? undefined
      : failureAt(instance, 'a text that the pattern matches');
  };
};

/** Keywords that look at a value itself. */
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
  minItems: size(items, atLeast, 'a number of items of at least'),
  maxItems: size(items, atMost, 'a number of items of at most'),
  uniqueItems,
  minProperties: size(members, atLeast, 'a number of members of at least'),
  maxProperties: size(members, atMost, 'a number of members of at most'),
  required,
  dependentRequired,
};
