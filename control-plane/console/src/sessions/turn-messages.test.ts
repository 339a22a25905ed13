import { describe, expect, test } from 'vitest';
import { turnOf } from './turn-messages.ts';

const calls = [
  { prompt_preview: 'first?', response_preview: 'hm' },
  { prompt_preview: 'last?', response_preview: 'yes' },
];
const prompt = { title: 'First prompt', text: 'first?' };

describe('a turn', () => {
  test.each([
    ['text alone', { question: 'Why?' }, { title: 'Input', text: 'Why?' }],
    ['two values', { q: 'Why?', user: 1 }, { title: 'Input', data: { q: 'Why?', user: 1 } }],
    ['one value that is no text', { ticket: 4711 }, { title: 'Input', data: { ticket: 4711 } }],
    ['nothing', null, prompt],
    ['an empty object', {}, prompt],
    ['an empty text', { question: '' }, prompt],
  ])('with inputs of %s', (_, inputs, input) => {
    expect(turnOf({ inputs, result: null, llm_calls: calls })).toEqual({
      input,
      output: { title: 'Last response', text: 'yes' },
    });
  });

  test('is empty without calls, inputs and result', () => {
    expect(turnOf({ inputs: null, result: null, llm_calls: [] })).toEqual({});
  });
});
