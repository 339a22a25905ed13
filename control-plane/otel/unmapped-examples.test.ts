import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker } from '../settings/masking/masker.ts';
import type { Attributes, Json } from './attributes.ts';
import { exampleOfAttribute, exampleOfEvent } from './unmapped-examples.ts';

const off = { enabled: false, builtin: [], keys: [], patterns: [] };
const masking = {
  enabled: true,
  builtin: ['EMAIL' as const],
  keys: [{ key: 'pin', type: 'PIN' }],
  patterns: [],
};
const all = { masker: createMasker(off), keepsTexts: true };
const masked = { masker: createMasker(masking), keepsTexts: true };
const noTexts = { masker: createMasker(off), keepsTexts: false };
const TEXT = 'x'.repeat(101);

describe('the example of an attribute', () => {
  test.each<[Json, string, number | null, string, string | null]>([
    [7, 'number', null, '7', '7'],
    [0.5, 'number', null, '0.5', '0.5'],
    [true, 'boolean', null, 'true', 'true'],
    [null, 'null', null, 'null', 'null'],
    ['warm', 'string', 4, 'warm', null],
    ['', 'string', 0, '', null],
    [TEXT, 'string', 101, `${'x'.repeat(100)}…`, null],
    [[1, 'a'], 'array', 2, '[1,"a"]', null],
    [{ input: 5 }, 'object', 1, '{"input":5}', null],
  ])('%j has a type, a length and a text', (value, type, length, text, withoutTexts) => {
    expect(exampleOfAttribute('acme.x', value, all)).toEqual({ type, length, text });
    expect(exampleOfAttribute('acme.x', value, noTexts)).toEqual({
      type,
      length,
      text: withoutTexts,
    });
  });

  test('its value is masked before it is shortened', () => {
    const mail = `${'x'.repeat(94)} maya@example.com`;
    expect(exampleOfAttribute('acme.x', mail, masked).text).toBe(`${'x'.repeat(94)} ##EMA…`);
    expect(exampleOfAttribute('acme.pin', 1234, masked)).toMatchObject({
      type: 'number',
      text: '##PIN##',
    });
    expect(exampleOfAttribute('acme.pin', 1234, { ...masked, keepsTexts: false }).text).toBe(
      '##PIN##',
    );
  });

  test('half a character is never left at the end', () => {
    const { text } = exampleOfAttribute('acme.x', `${'x'.repeat(99)}😀`, all);
    expect(text?.isWellFormed()).toBe(true);
  });
});

describe('the example of an event', () => {
  const attributes = {
    model: 'gpt-5',
    prompt: TEXT,
    'tokens.input': 12,
    parts: [1, 2],
    ok: true,
    pin: 1234,
  };

  test('its attributes are listed, with numbers first', () => {
    expect(exampleOfEvent(attributes, masked)).toEqual({
      type: 'event',
      length: 6,
      text: `tokens.input=12 ok=true model=gpt-5 prompt=${'x'.repeat(40)}… parts=[1,2] pin=##PIN##`,
    });
  });

  test('without texts, their types remain', () => {
    expect(exampleOfEvent(attributes, noTexts).text).toBe(
      'tokens.input=12 ok=true pin=1234 model=string(5) prompt=string(101) parts=array(2)',
    );
  });

  test('a long list of attributes is shortened', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`attribute.${i}`, i]));
    const { length, text } = exampleOfEvent(many, all);
    expect([length, text?.length, text?.endsWith('…')]).toEqual([100, 501, true]);
  });
});

test('without texts, no text of a value is stored', () => {
  // Letters that neither names, types nor numbers contain.
  const secret = fc.string({ unit: fc.constantFrom('Q', 'Z', 'ß'), minLength: 1 });
  const value = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      secret,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(secret, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(value, fc.dictionary(fc.constantFrom('a', 'b.c', 'pin'), value), (one, several) => {
      for (const rules of [noTexts, { ...masked, keepsTexts: false }])
        expect(
          JSON.stringify([
            exampleOfAttribute('acme.x', one, rules),
            exampleOfEvent(several as Attributes, rules),
          ]),
        ).not.toMatch(/[QZß]/);
    }),
  );
});
