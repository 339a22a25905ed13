import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';

const rules = {
  detectors: builtinDetectors(['EMAIL', 'CREDIT_CARD']),
  keys: memberRules([
    { key: 'password', type: 'PASSWORD' },
    { key: 'metadata.customer', type: 'CUSTOMER' },
    { key: 'prompt_preview', type: 'PROMPT' },
  ]),
};
const mask = (value: unknown) => redactJson(value, rules).value;

describe('values', () => {
  test.each([
    ['text', { a: ['to a@b.io'] }, { a: ['to ##EMAIL##'] }],
    ['a whole field', { prompt_preview: 'Hello' }, { prompt_preview: '##PROMPT##' }],
    ['numbers under a key', { password: 1234 }, { password: '##PASSWORD##' }],
    [
      'all below a key, in its structure',
      { metadata: { customer: { name: 'A', tags: ['b', 1, true, null], none: '' } } },
      {
        metadata: {
          customer: {
            name: '##CUSTOMER##',
            tags: ['##CUSTOMER##', '##CUSTOMER##', true, null],
            none: '',
          },
        },
      },
    ],
    [
      'a path within one name',
      { 'metadata.customer': 'A' },
      { 'metadata.customer': '##CUSTOMER##' },
    ],
    ['what is a placeholder already', { password: '##EMAIL##' }, { password: '##EMAIL##' }],
    ['no member names', { 'a@b.io': 1 }, { 'a@b.io': 1 }],
    [
      'no numbers, booleans or nulls',
      [4111111111111111, true, null],
      [4111111111111111, true, null],
    ],
  ])('%s', (_, value, expected) => {
    expect(mask(value)).toEqual(expected);
  });

  test('an own member __proto__ is kept', () => {
    const value: unknown = JSON.parse('{"__proto__": {"password": "x"}, "b": "a@b.io"}');
    expect(JSON.stringify(mask(value))).toBe(
      '{"__proto__":{"password":"##PASSWORD##"},"b":"##EMAIL##"}',
    );
  });

  test('an unchanged value is returned as the same object', () => {
    const value = { a: [1, 'x', { b: 'y' }], c: { d: 'a@b.io' } };
    const masked = mask(value) as typeof value;
    expect(masked.a).toBe(value.a);
    expect(mask(value.a)).toBe(value.a);
  });

  test('a value that is nested too deep is masked as a whole', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'a@b.io' : [deep(levels - 1)]);
    expect(JSON.stringify(mask(deep(200)))).toContain('##EMAIL##');
    expect(JSON.stringify(mask(deep(201)))).toContain('##TOO_DEEP##');
  });
});

describe('JSON in a string', () => {
  test.each([
    ['{"password":  "x", "n": 1.0}', '{"password":  "##PASSWORD##", "n": 1.0}'],
    [
      '{"id": 12345678901234567890, "to": "a@b.io"}',
      '{"id": 12345678901234567890, "to": "##EMAIL##"}',
    ],
    ['{"password": 17}', '{"password": "##PASSWORD##"}'],
    ['[{"to": "a\\u0040b.io"}]', '[{"to": "##EMAIL##"}]'],
    ['{"password": "a", "password": ""}', '{"password": "##PASSWORD##", "password": ""}'],
    ['{"args": "{\\"password\\": \\"x\\"}"}', '{"args": "{\\"password\\": \\"##PASSWORD##\\"}"}'],
    ['{"a": "b", "password": "cut o', '{"a": "b", "password": "##PASSWORD##'],
    ['{"a": "b"}', '{"a": "b"}'],
    ['{not json} a@b.io', '{not json} ##EMAIL##'],
    [
      '{"score": NaN, "password": "hunter2", "to": "a\\u0040b.io"}',
      '{"score": NaN, "password": "##PASSWORD##", "to": "##EMAIL##"}',
    ],
  ])('%s', (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  test('continues the path of its string', () => {
    expect(mask({ metadata: '{"customer": {"id": "7"}}' })).toEqual({
      metadata: '{"customer": {"id": "##CUSTOMER##"}}',
    });
  });

  test('may be nested deeper than the stack allows', () => {
    const text = `${'['.repeat(200_000)}"a@b.io"${']'.repeat(200_000)}`;
    expect(mask(text)).toBe(text.replace('a@b.io', '##EMAIL##'));
  });
});

// Assembled at run time, so that secret scanners do not report this file.
const key = (last: string): string =>
  ['gh', 'p_', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY1', last].join('');

describe('members with secrets of all types', () => {
  const all = { detectors: builtinDetectors(), keys: memberRules([]) };
  const redacted = <T>(value: T) => redactJson(value, all);
  const password = 'Tr0ub4dor&3xkcd!';

  test.each<[string, unknown, unknown]>([
    ['a name that is a key', { [key('z')]: 1 }, { '##API_KEY##': 1 }],
    ['a name with a key in it', { [`of ${key('z')}`]: 1 }, { 'of ##API_KEY##': 1 }],
    [
      'names that would be the same',
      { [key('a')]: 1, [key('b')]: 2, '##API_KEY_2##': 3 },
      { '##API_KEY##': 1, '##API_KEY_3##': 2, '##API_KEY_2##': 3 },
    ],
    [
      'the same name in different objects',
      [{ [key('a')]: 1 }, { [key('b')]: 2 }],
      [{ '##API_KEY##': 1 }, { '##API_KEY##': 2 }],
    ],
    [
      'an address with a password',
      { 'https://bob:hunter2@example.org': 1 },
      { 'https://##URL_CREDENTIALS##@example.org': 1 },
    ],
    [
      'no name of anything else',
      { 'a@b.io': 1, '4111111111111111': 2 },
      { 'a@b.io': 1, '4111111111111111': 2 },
    ],
    [
      'a value within the name',
      { password: { value: password } },
      { password: { value: '##PASSWORD##' } },
    ],
    [
      'values within the name',
      { password: [{ raw: password }] },
      { password: [{ raw: '##PASSWORD##' }] },
    ],
    [
      'nothing else within it',
      { password: { hint: password, on: true } },
      { password: { hint: password, on: true } },
    ],
    [
      'no further down',
      { password: { rule: { value: password } } },
      { password: { rule: { value: password } } },
    ],
    [
      'a value beside the name',
      [{ name: 'password', value: password }],
      [{ name: 'password', value: '##PASSWORD##' }],
    ],
    [
      'a parameter of CloudFormation',
      [{ ParameterKey: 'DbPassword', ParameterValue: password }],
      [{ ParameterKey: 'DbPassword', ParameterValue: '##PASSWORD##' }],
    ],
    [
      'a value before the name',
      { value: password, key: 'DB_PASSWORD' },
      { value: '##PASSWORD##', key: 'DB_PASSWORD' },
    ],
    [
      'no value beside another name',
      { name: 'title', value: password },
      { name: 'title', value: password },
    ],
    [
      'no value of another object',
      [{ name: 'password' }, { value: password }],
      [{ name: 'password' }, { value: password }],
    ],
    [
      'a person beside the name',
      { field: 'first_name', value: 'Jane' },
      { field: 'first_name', value: '##PERSON_NAME##' },
    ],
  ])('%s, as an object and as text', (_, value, expected) => {
    expect(redacted(value).value).toEqual(expected);
    expect(JSON.parse(redacted(JSON.stringify(value)).value)).toEqual(expected);
    expect(redacted({ args: JSON.stringify(value) }).value).toEqual({
      args: JSON.stringify(expected),
    });
  });

  test('a name is counted once, and members keep their order', () => {
    const value = { first: 1, [key('a')]: key('b'), last: 2 };
    const { value: masked, counts } = redacted(value);
    expect(JSON.stringify(masked)).toBe('{"first":1,"##API_KEY##":"##API_KEY##","last":2}');
    expect(counts).toEqual({ API_KEY: 2 });
    expect(redacted(JSON.stringify(value)).counts).toEqual({ API_KEY: 2 });
    expect(redacted(masked).value).toBe(masked);
  });

  test('in text with a duplicate member, both are kept', () => {
    expect(redacted(`{"${key('a')}":1,"${key('a')}":2}`).value).toBe(
      '{"##API_KEY##":1,"##API_KEY_2##":2}',
    );
  });

  test('members with any names are kept, and objects and texts are masked alike', () => {
    const name = fc.oneof(
      fc.constantFrom(
        ...'abc'.split('').map(key),
        '__proto__',
        '##API_KEY##',
        '##API_KEY_2##',
        'x',
      ),
      fc.constantFrom('name', 'value', 'password', 'key'),
    );
    const value = fc.oneof(fc.nat(9), fc.constantFrom('password', password, key('d')));
    fc.assert(
      fc.property(fc.array(fc.dictionary(name, value, { noNullPrototype: true })), (objects) => {
        const masked = redacted(objects).value;
        expect(masked.map((one) => Object.keys(one).length)).toEqual(
          objects.map((one) => Object.keys(one).length),
        );
        expect(redacted(JSON.stringify(objects)).value).toBe(JSON.stringify(masked));
        expect(JSON.stringify(masked)).not.toContain(['gh', 'p_'].join(''));
      }),
    );
  });
});

describe('JSON between other text', () => {
  const all = {
    detectors: builtinDetectors(),
    keys: memberRules([{ key: 'customer.*', type: 'CUSTOMER' }]),
  };
  const redacted = (text: string): string => redactJson(text, all).value;

  test.each([
    [
      'look:\n```json\n{\n  "first_name": "Jane",  "n": 1.0,\n  "street": "12 Main Street"\n}\n```\n',
      'look:\n```json\n{\n  "first_name": "##PERSON_NAME##",  "n": 1.0,\n  "street": "##POSTAL_ADDRESS##"\n}\n```\n',
    ],
    ['{"first_name": "Jane"} is my record', '{"first_name": "##PERSON_NAME##"} is my record'],
    [')]}\'\n{"first_name":"Jane"}', ')]}\'\n{"first_name":"##PERSON_NAME##"}'],
    ['callback({"first_name":"Jane"});', 'callback({"first_name":"##PERSON_NAME##"});'],
    [
      'rows: [{"last_name":"Berg"}, {"last_name":"Roe"}]!',
      'rows: [{"last_name":"##PERSON_NAME##"}, {"last_name":"##PERSON_NAME##"}]!',
    ],
    [
      'is {"customer": {"tier": "gold", "n": 7}}?',
      'is {"customer": {"tier": "##CUSTOMER##", "n": "##CUSTOMER##"}}?',
    ],
    ['of {"personnummer": 8112289874}', 'of {"personnummer": "##NATIONAL_ID##"}'],
    [
      'a {"args": "{\\"first_name\\": \\"Jane\\"}"} b',
      'a {"args": "{\\"first_name\\": \\"##PERSON_NAME##\\"}"} b',
    ],
    [
      'cut {"first_name": "Jane", "street": "12 Main St',
      'cut {"first_name": "##PERSON_NAME##", "street": "##POSTAL_ADDRESS##',
    ],
    ['wrong {"first_name": "Jane" oops', 'wrong {"first_name": "##PERSON_NAME##" oops'],
    [
      'card {"n": 4111111111111111, "first_name": "Jane"} ok',
      'card {"n": ##CREDIT_CARD##, "first_name": "##PERSON_NAME##"} ok',
    ],
  ])('%j', (text, expected) => {
    expect(redacted(text)).toBe(expected);
    expect(redacted(expected)).toBe(expected);
  });

  test.each([
    'func main() { fmt.Println("first_name", "Jane") }',
    'map[string]string{"a": "b", "c": d}',
    'use {"first_name": "string"} here',
    'a {"first_name\n": "Jane"} broken over lines',
    '{"model_name": "Opus"} and {name} and {"',
  ])('%j is kept', (text) => {
    expect(redacted(text)).toBe(text);
  });
});

describe('credentials beside what names them', () => {
  const all = { detectors: builtinDetectors(), keys: memberRules([]) };
  const token = '7f3k2m9x8q1w5e4r6t7y8u9i';
  const part = 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI';

  test.each<[string, unknown, unknown]>([
    ['a header in a list', [['X-Api-Key', token]], [['X-Api-Key', '##SECRET##']]],
    ['a cookie in a list', [['Cookie', `sid=${token}`]], [['Cookie', '##AUTHORIZATION##']]],
    [
      'a header of cookies',
      { 'set-cookie': [`sid=${token}; Path=/`, 'theme=dark; Path=/; Max-Age=31536000'] },
      { 'set-cookie': ['##AUTHORIZATION##', 'theme=dark; Path=/; Max-Age=31536000'] },
    ],
    [
      'cookies of an HTTP archive',
      { cookies: [{ name: 'sid', value: token, path: '/' }] },
      { cookies: [{ name: 'sid', value: '##AUTHORIZATION##', path: '/' }] },
    ],
    ['a session cookie', { JSESSIONID: token }, { JSESSIONID: '##AUTHORIZATION##' }],
    [
      'basic credentials',
      { authorization: 'Basic dXNlcjpwYXNzd29yZA==' },
      { authorization: '##AUTHORIZATION##' },
    ],
    [
      'a JSON web key',
      { kty: 'EC', crv: 'P-256', x: part, d: part.slice(1) },
      { kty: 'EC', crv: 'P-256', x: part, d: '##PRIVATE_KEY##' },
    ],
    [
      'a JSON web key whose type comes last',
      { keys: [{ k: part, kid: '1', kty: 'oct' }] },
      { keys: [{ k: '##PRIVATE_KEY##', kid: '1', kty: 'oct' }] },
    ],
    [
      'no other object',
      [{ kty: 'EC' }, { d: part, k: part }],
      [{ kty: 'EC' }, { d: part, k: part }],
    ],
    ['no list of other strings', ['password', 'username'], ['password', 'username']],
    ['no longer list', ['X-Api-Key', token, 'x'], ['X-Api-Key', token, 'x']],
    ['no cookie banner', { cookies: 'We use cookies' }, { cookies: 'We use cookies' }],
    ['no id of a session', { session_id: token }, { session_id: token }],
  ])('%s, as an object and as text', (_, value, expected) => {
    expect(redactJson(value, all).value).toEqual(expected);
    expect(redactJson(JSON.stringify(value), all).value).toBe(JSON.stringify(expected));
  });
});

test('counts placeholders by type', () => {
  const { counts } = redactJson({ password: 'x', b: ['a@b.io', '{"c": "c@d.io"}'] }, rules);
  expect(counts).toEqual({ PASSWORD: 1, EMAIL: 2 });
});

const member = fc.constantFrom('password', 'metadata', 'customer', 'a', 'b.c');
const leaf = fc.oneof(
  fc.constantFrom<unknown>('a@b.io', 'x', '', '##EMAIL##', '4111 1111 1111 1111', true, null, 7),
  fc.string(),
  fc.json(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(member, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/**
 * Reduces a value to its structure. Strings and numbers count as the same leaf, because a number
 * may become a string.
 */
const structure = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, inner]) => [key, structure(inner)]);
  return typeof value === 'string' || typeof value === 'number' ? 'leaf' : value;
};

test('any JSON keeps its structure, and masking is idempotent', () => {
  fc.assert(
    fc.property(json, (value) => {
      const masked = mask(value);
      expect(structure(masked)).toEqual(structure(value));
      expect(mask(masked)).toBe(masked);
      const unkeyed = redactJson(value, { ...rules, keys: memberRules([]) }).value;
      const numbers = (of: unknown) =>
        JSON.stringify(of, (_, inner) => (typeof inner === 'string' ? '' : (inner as unknown)));
      expect(numbers(unkeyed)).toBe(numbers(value));
    }),
    { numRuns: 1000 },
  );
});
