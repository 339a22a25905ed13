import { describe, expect, test } from 'vitest';
import { removeTruncatedWords } from './truncated-words.ts';

const cut = { isKnownApi: true };

describe('unfinished words at the end of a truncated text are dropped', () => {
  test.each([
    ['use sk-abc', 'use '],
    ['{"model":"m","content":"write to jane.d', '{"model":"m","content":"write to '],
    ['{"args":"[{\\"value\\":\\"Winter25', '{"args":"[{\\"value\\":\\"'],
    ['{"content":"first\\nABSK\\/juKq\\u003dx', '{"content":"first\\n'],
    ['paid with 4111 1111 1111 11', 'paid with '],
    ['{"content":"密钥是sk-proj-a1', '{"content":"密钥是'],
    ['"use sk-abc"', '"use "'],
    ['it has ended. ', 'it has ended. '],
    ['word', ''],
    ['', ''],
  ])('%j', (text, left) => expect(removeTruncatedWords(text, cut)).toBe(left));
});

describe('in a response joined from a stream, every string that may have been cut loses its last words', () => {
  const joined = (content: string, of: object = {}) => ({
    id: 'chatcmpl-1a2b',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content, ...of }, finish_reason: 'stop' }],
  });
  const input = (text: string) => ({ input: { name: text, reason: text, id: text } });

  test.each([
    ['texts', joined('the key is sk-proj-a1'), joined('the key is ')],
    ['inputs of tools', joined('', input('the key sk-a1')), joined('', input('the key '))],
  ])('%s', (_, of, left) => {
    expect(JSON.parse(removeTruncatedWords(JSON.stringify(of), cut))).toEqual(left);
  });

  test('in an unknown format, every string loses its last words', () => {
    const text = JSON.stringify({ id: 'a1', name: 'the key sk-a1' });
    expect(removeTruncatedWords(text, { isKnownApi: false })).toBe('{"id":"","name":"the key "}');
  });
});

test('a text that continues an earlier one loses its first word too', () => {
  const text = JSON.stringify(['C3d4 is the key sk-a1', 'word']);
  expect(removeTruncatedWords(text, { ...cut, isContinued: true })).toBe('[" is the key ",""]');
});

test('a table of numbers loses at most the length of the longest number', () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => i).join(' ');
  expect(numbers.length - removeTruncatedWords(numbers, cut).length).toBeLessThan(60);
});
