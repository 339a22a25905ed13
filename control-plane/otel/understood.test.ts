import { expect, test } from 'vitest';
import { spellings } from './spellings.ts';
import { notUnderstood } from './understood.ts';

test('every name that a rule uses is understood', () => {
  for (const name of Object.values(spellings).flat())
    expect(notUnderstood({ [name]: 1 })).toEqual([]);
});

test.each([
  ['gen_ai.request.temperature', []],
  ['http.response.status_code', []],
  ['llm.input_messages.3.message.content', []],
  ['gen_ai.prompt.0.role', []],
  ['gen_ai.usage.tokens_in', ['gen_ai.usage.tokens_in']],
  ['gen_ai.prompts', ['gen_ai.prompts']],
  ['acme.items.12.name', ['acme.items.N.name']],
  ['acme.v2', ['acme.v2']],
])('%s leaves %j', (name, left) => {
  expect(notUnderstood({ [name]: 'x' })).toEqual(left);
});

test('of a kind the unknown value is told', () => {
  expect(notUnderstood({ 'gen_ai.operation.name': 'Dream' })).toEqual([
    'gen_ai.operation.name = dream',
  ]);
});

test('names that differ only in numbers are one', () => {
  expect(notUnderstood({ 'a.0.b': 1, 'a.1.b': 1 })).toEqual(['a.N.b']);
});
