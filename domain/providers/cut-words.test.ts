import { describe, expect, test } from 'vitest';
import { withoutCutWords } from './cut-words.ts';

describe('the words at the end of a cut text are dropped', () => {
  test.each([
    ['use sk-abc', 'use '],
    ['{"model":"m","content":"write to jane.d', '{"model":"m","content":"write to '],
    ['{"args":"[{\\"value\\":\\"Winter25', '{"args":"[{\\"value\\":\\"'],
    ['paid with 4111 1111 1111 11', 'paid with '],
    ['it has ended. ', 'it has ended. '],
    ['word', ''],
    ['', ''],
  ])('%j', (text, left) => expect(withoutCutWords(text)).toBe(left));
});

test('of the response of a stream, every string that may still have grown', () => {
  const joined = {
    id: 'chatcmpl-1a2b',
    model: 'gpt-4o-mini',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'the key is sk-proj-a1' } },
      { index: 1, message: { role: 'assistant', content: 'keys are never' } },
    ],
  };
  expect(JSON.parse(withoutCutWords(JSON.stringify(joined)))).toEqual({
    ...joined,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'the key is ' } },
      { index: 1, message: { role: 'assistant', content: 'keys are ' } },
    ],
  });
});

test('a table of numbers loses no more than a number can be long', () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => i).join(' ');
  expect(numbers.length - withoutCutWords(numbers).length).toBeLessThan(60);
});
