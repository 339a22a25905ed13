import { describe, expect, test } from 'vitest';
import { turnOf } from './said.ts';

const calls = [
  { prompt_preview: 'first?', response_preview: 'hm' },
  { prompt_preview: 'last?', response_preview: 'yes' },
];
const prompt = { title: 'First prompt', text: 'first?' };

describe('a turn', () => {
  test.each([
    ['text alone', { question: 'Why?' }, { title: 'Input', text: 'Why?' }],
    ['two things', { q: 'Why?', user: 1 }, { title: 'Input', data: { q: 'Why?', user: 1 } }],
    ['one thing that is no text', { ticket: 4711 }, { title: 'Input', data: { ticket: 4711 } }],
    ['nothing', null, prompt],
    ['an empty object', {}, prompt],
    ['an empty text', { question: '' }, prompt],
  ])('of inputs that are %s', (_, inputs, asked) => {
    expect(turnOf({ inputs, result: null, llm_calls: calls })).toEqual({
      asked,
      answered: { title: 'Last response', text: 'yes' },
    });
  });

  test('without calls, inputs and result says nothing', () => {
    expect(turnOf({ inputs: null, result: null, llm_calls: [] })).toEqual({});
  });
});
