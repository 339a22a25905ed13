import { describe, expect, test } from 'vitest';
import { turnOf } from './turn-messages.ts';

const calls = [{ id: 1 }, { id: 2 }];

describe('a turn', () => {
  test.each([
    ['text', { question: 'Why?' }],
    ['two values', { q: 'Why?', user: 1 }],
    ['one value that is no text', { ticket: 4711 }],
  ])('has its inputs if they are %s', (_, inputs) => {
    expect(turnOf({ inputs, result: null, llm_calls: calls })).toEqual({
      input: { recorded: { title: 'Input', role: 'user', value: inputs } },
      output: { callId: 2 },
    });
  });

  test.each([
    ['missing', null],
    ['an empty object', {}],
    ['an empty text', { question: '' }],
  ])('has the prompt of the first call if its inputs are %s', (_, inputs) => {
    expect(turnOf({ inputs, result: { text: 'So.' }, llm_calls: calls })).toEqual({
      input: { callId: 1 },
      output: { recorded: { title: 'Result', role: 'assistant', value: { text: 'So.' } } },
    });
  });

  test('is empty without calls, inputs and result', () => {
    expect(turnOf({ inputs: null, result: null, llm_calls: [] })).toEqual({
      input: undefined,
      output: undefined,
    });
  });
});
