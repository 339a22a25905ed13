import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newBudget } from './budget.ts';
import { canonical } from './json-text.ts';
import { compileSchema, validate } from './validate-json.ts';

function validated(schema: unknown, value: unknown) {
  const compiled = compileSchema(schema);
  if ('error' in compiled) throw new Error(compiled.error);
  return validate(compiled, JSON.stringify(value), newBudget());
}

/** Schemas, each with values that are valid against it and values that are not. */
const cases: [string, unknown, unknown[], unknown[]][] = [
  ['true', true, [1, null, {}], []],
  ['false', false, [], [1, null, {}]],
  ['no keyword', {}, [1, null, []], []],
  ['one type', { type: 'integer' }, [1, 1.0, -2], [1.5, '1', null, [], {}]],
  ['some types', { type: ['object', 'null'] }, [{}, null], [[], 0, '']],
  ['an enum', { enum: [1, { a: [1], b: 2 }] }, [1, { b: 2, a: [1] }], [2, { a: [1] }, '1']],
  ['a const', { const: [false, 0] }, [[false, 0]], [[0, false], false]],
  ['bounds', { minimum: 1, exclusiveMaximum: 2 }, [1, 1.9, 'x'], [0.9, 2]],
  ['multiples', { multipleOf: 0.01 }, [0.07, 19.99, 1e30, 'x'], [0.075, 1e-7]],
  ['lengths', { minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 5], ['a', 'abcd', '😀']],
  ['a pattern', { pattern: '^[A-Z]{2}-\\d+$' }, ['AB-1', 7], ['ab-1', 'AB-']],
  [
    'items',
    { items: { type: 'number' }, maxItems: 2 },
    [[1, 2], []],
    [
      [1, '2'],
      [1, 2, 3],
    ],
  ],
  [
    'items after a prefix',
    { prefixItems: [{ type: 'string' }], items: false },
    [['a'], []],
    [['a', 1], [1]],
  ],
  [
    'unique items',
    { uniqueItems: true },
    [[1, '1', [1]]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [
    'some items',
    { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
    [['a', 1, 'b'], {}],
    [['a'], ['a', 'b', 'c', 'd']],
  ],
  [
    'members',
    { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    [{ a: '' }, 3],
    [{}, { a: 1 }, { a: '', b: 1 }],
  ],
  ['a member named like one of every object', { required: ['toString'] }, [{ toString: 1 }], [{}]],
  [
    'members by pattern',
    { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: { type: 'string' } },
    [{ n_a: 1, b: 'x' }],
    [{ n_a: 'x' }, { b: 1 }],
  ],
  ['names', { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [
    'dependent members',
    { dependentRequired: { a: ['b'] } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    'dependent schemas',
    { dependentSchemas: { a: { minProperties: 2 } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  ['all', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  ['any', { anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['', 3], [2]],
  ['one', { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
  ['not', { not: { type: 'null' } }, [0], [null]],
  [
    'a condition',
    JSON.parse('{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"multipleOf":2}}'),
    [20, 4],
    [15, 3],
  ],
  [
    'a definition, by pointer and by anchor',
    {
      $defs: { 'a/b': { type: 'string' }, c: { $anchor: 'low', maximum: 5 } },
      properties: { a: { $ref: '#/$defs/a~1b' }, c: { $ref: '#low', minimum: 1 } },
    },
    [{ a: 'x', c: 5 }],
    [{ a: 1 }, { c: 6 }, { c: 0 }],
  ],
  [
    'a tree',
    { type: 'object', properties: { children: { items: { $ref: '#' } } } },
    [{ children: [{ children: [] }] }],
    [{ children: [{ children: [1] }] }],
  ],
  [
    'unevaluated members',
    {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ required: ['b'], properties: { b: true } }, true],
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1, c: 2 }],
  ],
  [
    'unevaluated items',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    [[1, 'a']],
    [[1, 'a', 2]],
  ],
  ['a format, which is not checked', { format: 'email' }, ['no email'], []],
];

describe.each(cases)('%s', (_what, schema, valid, invalid) => {
  test.each(valid.map((value) => [JSON.stringify(value), value]))(
    'is valid: %s',
    (_text, value) => {
      expect(validated(schema, value)).toEqual({ kind: 'valid' });
    },
  );
  test.each(invalid.map((value) => [JSON.stringify(value), value]))(
    'is not valid: %s',
    (_text, value) => {
      expect(validated(schema, value).kind).toBe('invalid');
    },
  );
});

const long = 'x'.repeat(49_000);
const cut = `${'x'.repeat(200)}…`;

test.each<[unknown, unknown, string]>([
  [{ type: 'object' }, [], 'the output: expected the type object'],
  [{ type: ['null', 'null', 'array', 'null'] }, 1, 'the output: expected the type null or array'],
  [{ pattern: '^a' }, 'b', 'the output: expected a string that matches the pattern ^a'],
  [{ const: { b: 1, a: 2 } }, 1, 'the output: expected the value {"a":2,"b":1}'],
  [{ enum: ['x', 2] }, 1, 'the output: expected one of the values "x", 2'],
  [
    { properties: { a: { propertyNames: { maxLength: 1 } } } },
    { a: { bc: 1 } },
    'the name "bc" in /a: expected a length of at most 1',
  ],
  [{ propertyNames: false }, { a: 1 }, 'the name "a" in the output: expected nothing'],
  [
    { contains: { type: 'string' }, minContains: 2 },
    ['a', 1],
    'the output: expected at least 2 items that match the schema in contains, found 1',
  ],
  [
    { contains: true, maxContains: 1 },
    [1, 2],
    'the output: expected at least 1 and at most 1 items that match the schema in contains, found 2',
  ],
  [
    { oneOf: [true, true] },
    1,
    'the output: expected a value that matches exactly one of the schemas in oneOf, but it matches 2',
  ],
  [{ required: [long] }, {}, `the output: expected the property "${cut}"`],
  [
    { pattern: 'x'.repeat(400) },
    '',
    `the output: expected a string that matches the pattern ${cut}`,
  ],
  [{ const: long }, 1, `the output: expected the value "${'x'.repeat(199)}…`],
  [{ enum: [long] }, 1, `the output: expected one of the values "${'x'.repeat(199)}…`],
  [{ propertyNames: false }, { [long]: 1 }, `the name "${cut}" in the output: expected nothing`],
  [{ additionalProperties: false }, { [long]: 1 }, `/${'x'.repeat(199)}…: expected nothing`],
  [
    { properties: { 'a/b': { items: { minimum: 1 } } } },
    { 'a/b': [1, 0] },
    '/a~1b/1: expected at least 1',
  ],
  [{ required: ['name'] }, {}, 'the output: expected the property "name"'],
  [{ additionalProperties: false }, { x: 1 }, '/x: expected nothing'],
])('the reason is the first keyword that fails: %j', (schema, value, reason) => {
  expect(validated(schema, value)).toEqual({ kind: 'invalid', reason });
});

test.each<[string, unknown, string | RegExp]>([
  ['a text', 'x', 'the schema: expected a schema: an object, true or false'],
  [
    'an unknown type',
    { properties: { a: { type: 'text' } } },
    '/properties/a/type: unknown type "text"',
  ],
  ['a length that is none', { minLength: -1 }, '/minLength: expected a non-negative integer'],
  ['items of an older draft', { items: [{}] }, /^\/items: expected one schema/],
  [
    'another document',
    { $ref: 'https://example.test/a.json' },
    /^\/\$ref: expected a reference that begins with #/,
  ],
  ['a reference to nothing', { $ref: '#/$defs/a' }, '/$ref: the schema has no #/$defs/a'],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, /draft 2020-12/],
  [
    'an id within',
    { properties: { a: { $id: 'x' } } },
    /^\/properties\/a: \$id is supported at the top/,
  ],
  ['a dynamic reference', { $dynamicRef: '#a' }, 'the schema: $dynamicRef is not supported'],
  ['a pattern that is none', { pattern: '(' }, /^\/pattern: the pattern missing closing/],
  [
    'a count that is none',
    { contains: true, minContains: 1.5 },
    /^\/minContains: expected a non-neg/,
  ],
  [
    'a count without contains',
    { maxContains: -1 },
    /^\/maxContains: expected a non-negative integer/,
  ],
  ['a number out of range', { maximum: Infinity }, 'the schema has a number that is out of range'],
  ['a large pattern', { patternProperties: { 'a{501}': true } }, /repeats more than 500 times/],
  [
    'a schema in an unknown place that is none',
    { $ref: '#/x', x: { minimum: '1' } },
    '/x/minimum: expected a number',
  ],
])('a schema is refused: %s', (_what, schema, error) => {
  const compiled = compileSchema(schema);
  expect('error' in compiled && compiled.error).toMatch(error);
});

test.each<[string, unknown]>([
  ['a type', { type: long }],
  ['a place', { properties: { [long]: 1 } }],
  ['a reference', { $ref: `#/${long}` }],
  ['a reference to another document', { $ref: long }],
  ['an unknown draft', { $schema: long }],
])('the length of an error message is bounded: %s', (_what, schema) => {
  const compiled = compileSchema(schema);
  expect('error' in compiled && compiled.error.length).toBeLessThan(500);
});

test.each(['1e400', '[-1e400]', '{"a":[1e999]}'])(
  'a number that is out of range is not confused with another: %s',
  (text) => {
    const compiled = compileSchema({ anyOf: [{ const: null }, true] });
    if ('error' in compiled) throw new Error(compiled.error);
    expect(validate(compiled, text, newBudget())).toEqual({
      kind: 'aborted',
      reason: 'the output has a number that is out of range',
    });
  },
);

test('a schema that is nested too deeply is refused', () => {
  let schema: unknown = {};
  for (let at = 0; at < 101; at += 1) schema = { not: schema };
  expect(compileSchema(schema)).toEqual({ error: expect.stringMatching(/100 levels/) as string });
});

/** Returns definitions of which each applies the next one twice. */
const doubling = (keyword: string, levels: number) => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = at + 1 < levels ? { $ref: `#/$defs/d${at + 1}` } : {};
      return [`d${at}`, { [keyword]: [next, next] }];
    }),
  ),
});

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

test.each<[string, unknown, unknown, RegExp]>([
  ['a reference to itself', { $ref: '#' }, 1, /refers to itself too often/],
  ['all of two, over and over', doubling('allOf', 60), 1, /too many steps/],
  ['any of two, over and over', doubling('anyOf', 60), 1, /too many steps/],
  ['one of two, over and over', doubling('oneOf', 60), 1, /too many steps|invalid/],
  [
    'a long text and many patterns',
    { allOf: Array.from({ length: 60 }, () => ({ pattern: '(a|aa)+$' })) },
    'a'.repeat(90_000),
    /too many steps/,
  ],
  [
    'long items that are compared',
    { uniqueItems: true },
    Array.from({ length: 6 }, () => 'x'.repeat(900_000)),
    /too many steps/,
  ],
  ['an output that is nested too deeply', true, deep(101), /more than 100 levels/],
])('validation is aborted: %s', (_what, schema, value, reason) => {
  const validation = validated(schema, value);
  expect('reason' in validation && `${validation.kind}: ${validation.reason}`).toMatch(reason);
});

describe('for any value', () => {
  test('it is valid against itself, and not against its negation', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const value: unknown = JSON.parse(text);
        expect(validated({ const: value }, value).kind).toBe('valid');
        expect(validated({ not: { enum: [0, value] } }, value).kind).toBe('invalid');
        expect(validated({ oneOf: [{ const: value }, false] }, value).kind).toBe('valid');
      }),
    );
  });

  test('two values are equal if their canonical texts are, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).toReversed());
        expect(canonical(turned)).toBe(canonical(object));
      }),
    );
  });

  test('any JSON as a schema is refused, or validation with it ends', () => {
    const keyword = fc.constantFrom(
      '$ref',
      'allOf',
      'items',
      'not',
      'type',
      'if',
      'contains',
      '$defs',
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(true, false, '#', 'string', 1, null),
        fc.dictionary(keyword, tie('schema'), { maxKeys: 3 }),
        fc.array(tie('schema'), { maxLength: 2 }),
      ),
    }));
    fc.assert(
      fc.property(schema, fc.jsonValue(), (document, value) => {
        const compiled = compileSchema(document);
        const { kind } =
          'error' in compiled
            ? { kind: 'refused' }
            : validate(compiled, JSON.stringify(value), newBudget());
        expect(kind).toMatch(/^(refused|valid|invalid|aborted)$/);
      }),
    );
  });
});
