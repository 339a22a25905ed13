import { afterEach, expect, test, vi } from 'vitest';
import { MAX_STEPS, newBudget } from './budget.ts';
import { compileSchema, validate } from './validate-json.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function compiled(schema: unknown) {
  const read = compileSchema(schema);
  if ('error' in read) throw new Error(read.error);
  return read;
}

function stepsOf(schema: unknown, value: unknown): number {
  const budget = newBudget();
  validate(compiled(schema), JSON.stringify(value), budget);
  return MAX_STEPS - budget.steps;
}

const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 1]));

test.each<[string, unknown]>([
  ['propertyNames', { propertyNames: false }],
  ['additionalProperties', { additionalProperties: false }],
  ['unevaluatedProperties', { unevaluatedProperties: false }],
  ['patternProperties', { patternProperties: { k: false } }],
  ['maxProperties', { maxProperties: 1 }],
])('the members of an object are listed once: %s', (_what, schema) => {
  const read = compiled({ anyOf: many(30, schema) });
  const keys = vi.spyOn(Object, 'keys');
  validate(read, JSON.stringify(members), newBudget());
  expect(keys.mock.calls.filter(([object]) => Object.hasOwn(object, 'k0'))).toHaveLength(1);
  expect(stepsOf(schema, members)).toBeGreaterThan(1000);
});

test('a reference is resolved when the schema is read, not each time that it is applied', () => {
  const read = compiled({ $defs: { a: true }, items: { $ref: '#/$defs/a' } });
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  expect(validate(read, JSON.stringify(many(100, 1)), newBudget()).kind).toBe('valid');
  expect(decode).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ['const', { const: 1 }],
  ['enum', { enum: [1, 2] }],
  ['uniqueItems', { uniqueItems: true }],
])('texts of values are not created if their cost exceeds the budget: %s', (_what, schema) => {
  const read = compiled(schema);
  const output = JSON.stringify([members]);
  const stringify = vi.spyOn(JSON, 'stringify');
  const budget = { ...newBudget(), steps: output.length };
  expect(validate(read, output, budget).kind).toBe('aborted');
  expect(stringify).not.toHaveBeenCalled();
});

test.each<[string, unknown, unknown, number]>([
  ['characters that are counted', { minLength: 0 }, 'x'.repeat(1000), 1000],
  ['a text that is compared', { const: 1 }, 'x'.repeat(1000), 1000],
  ['names of members that are compared', { const: 1 }, { ['x'.repeat(1000)]: 1 }, 1000],
  ['a multiple of a very small number', { multipleOf: 1e-300 }, 1e300, 600],
  ['short texts that a pattern is matched with', { items: { pattern: '' } }, many(100, ''), 3000],
  ['values that are evaluated', { allOf: many(10, { items: true }) }, many(100, 1), 11_000],
  ['reading', true, 'x'.repeat(10_000), 1000],
])('is charged: %s', (_what, schema, value, least) => {
  expect(stepsOf(schema, value)).toBeGreaterThanOrEqual(least);
});

test('a repeated type has no additional cost', () => {
  const [once, often] = [['null'], many(5000, 'null')].map((type) => compiled({ type }));
  const some = vi.spyOn(Array.prototype, 'some');
  for (const read of [once, often]) if (read) validate(read, '1', newBudget());
  const tested = some.mock.contexts.map((tests) => (tests as unknown[]).length);
  expect(Math.max(...tested)).toBe(1);
});
