import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compiledLength, compilePrompt } from './prompt-template.ts';

describe('a text with variables', () => {
  const variables = {
    name: 'Ada',
    n: 3,
    list: ['a', { b: null }],
    empty: '',
    no: null,
    dollar: '$&',
  };
  test.each([
    ['Hello {{name}}', 'Hello Ada', []],
    ['Hello {{ name }}{{\n\tname }}', 'Hello AdaAda', []],
    ['{{n}} {{list}} [{{empty}}] {{no}}', '3 ["a",{"b":null}] [] null', []],
    ['{{dollar}}', '$&', []],
    ['{"json": {{{name}}}}', '{"json": {Ada}}', []],
    ['{{who}} and {{who}}, {{what}}', '{{who}} and {{who}}, {{what}}', ['who', 'what']],
    [
      '{{constructor}} {{__proto__}}',
      '{{constructor}} {{__proto__}}',
      ['constructor', '__proto__'],
    ],
    ['{{}} {{ }} {name} {{two words}} {{name', '{{}} {{ }} {name} {{two words}} {{name', []],
    ['', '', []],
  ])('%j', (template, content, missing_variables) => {
    expect(compilePrompt(template, variables)).toEqual({ content, missing_variables });
  });
});

test('all chat messages and their parts are filled in, and the template is not modified', () => {
  const template = [
    { role: 'system' as const, content: 'You help {{who}}.' },
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: '{{question}}' },
        { type: 'image_url', image_url: { url: '{{picture}}', detail: 'low' } },
      ],
    },
  ];
  const before = structuredClone(template);
  const picture = 'https://pictures.test/1';
  expect(compilePrompt(template, { who: '{{question}}', picture })).toEqual({
    content: [
      { role: 'system', content: 'You help {{question}}.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '{{question}}' },
          { type: 'image_url', image_url: { url: picture, detail: 'low' } },
        ],
      },
    ],
    missing_variables: ['question'],
  });
  expect(template).toEqual(before);
});

test('texts without placeholders are unchanged, and every occurrence of a name is filled in', () => {
  const name = fc.stringMatching(/^[^\s{}]+$/);
  const plain = fc.string().filter((text) => !text.includes('{'));
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, name)), fc.string(), (pieces, value) => {
      const template = pieces.map(([text, key]) => `${text}{{ ${key} }}`).join('');
      const variables = Object.fromEntries(pieces.map(([, key]) => [key, value]));
      expect(compilePrompt(template, variables)).toEqual({
        content: pieces.map(([text]) => text + value).join(''),
        missing_variables: [],
      });
    }),
  );
});

describe('the compiled length of a prompt', () => {
  const text = fc.array(fc.constantFrom('{{a}}', '{{ b }}', '{{none}}', '{{', 'x ', '😀'));
  const template = text.map((pieces) => pieces.join(''));
  const variables = fc.record({ a: fc.string(), b: fc.jsonValue() });

  test('is computed without building the text', () => {
    fc.assert(
      fc.property(template, variables, (content, given) => {
        expect(compiledLength(content, given)).toBe(compilePrompt(content, given).content.length);
      }),
    );
  });

  test('counts all messages of a chat, without images', () => {
    const a = 'x'.repeat(1000);
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const chat = [
      { role: 'system' as const, content: '{{a}}!' },
      { role: 'user' as const, content: 'as it is' },
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'no {{b}}' }, image('{{a}}'), image('data:,xyz')],
      },
    ];
    expect(compiledLength(chat, { a })).toBe(1001 + 8 + 8 + 1000);
  });

  test('works for texts that exceed the memory', () => {
    const a = 'x'.repeat(1_000_000);
    expect(compiledLength('{{a}}'.repeat(200_000), { a })).toBe(200_000_000_000);
  });
});
