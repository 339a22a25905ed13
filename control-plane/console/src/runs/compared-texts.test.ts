import { expect, test } from 'vitest';
import { MAX_COMPARED, textsOf } from './compared-texts.ts';

test.each([
  ['plain text', 'plain text'],
  [{ question: 'why' }, '{\n  "question": "why"\n}'],
  ['[1,2]', '[\n  1,\n  2\n]'],
  [
    [
      { role: 'system', content: 'Be brief.\nBe kind.' },
      { role: 'user', content: 'Hello' },
    ],
    'system:\nBe brief.\nBe kind.\n\nuser:\nHello',
  ],
  ['[{"role":"user","content":"Hello"}]', 'user:\nHello'],
])('%j has lines for a comparison', (value, text) =>
  expect(textsOf({ Text: value })).toEqual({ Text: text }),
);

test('no part of a tool call is lost', () => {
  const call = { id: '1', type: 'function', function: { name: 'shell', arguments: '{"a":1}' } };
  const { Text = '' } = textsOf({ Text: { role: 'assistant', content: 'ok', tool_calls: [call] } });
  for (const part of ['assistant', 'ok', 'shell', '"a": 1']) expect(Text).toContain(part);
});

test('missing values have no text, and long texts are truncated', () => {
  expect(textsOf({ a: null, b: undefined, c: '' })).toEqual({});
  expect(textsOf({ a: 'x'.repeat(MAX_COMPARED + 1) })['a']).toHaveLength(MAX_COMPARED);
});
