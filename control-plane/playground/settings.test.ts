import { expect, test } from 'vitest';
import { settingsFor } from './settings.ts';

const base = { model: 'm', temperature: 0.7, max_tokens: 5 };
const all = { top_p: 0.5, stop: 'END', seed: 7, frequency_penalty: 1, presence_penalty: -1 };

const schema = { type: 'object' };
const fn = { type: 'function', function: { name: 'f', parameters: schema } };
const own = { type: 'web_search_20260101', name: 'web_search' };

test.each([
  ['openai', {}, {}, []],
  ['openai', all, all, []],
  ['anthropic', all, { top_p: 0.5, stop_sequences: ['END'] }, Object.keys(all).slice(2)],
  ['anthropic', { stop: ['a', 'b'] }, { stop_sequences: ['a', 'b'] }, []],
  ['openai', { top_k: 3, reasoning: { effort: 'low' } }, {}, ['top_k', 'reasoning']],
  ['anthropic', { response_format: { type: 'json_object' } }, {}, ['response_format']],
  ['openai', { tools: [] }, {}, []],
  ['openai', { tools: [fn] }, { tools: [fn] }, []],
  ['anthropic', { tools: [fn, own] }, { tools: [{ name: 'f', input_schema: schema }, own] }, []],
  ['openai', { stop: null, top_k: null }, {}, []],
] as const)('%s receives %j as %j', (provider, config, settings, ignored) => {
  expect(settingsFor(provider, { ...base, ...config } as never)).toEqual({ settings, ignored });
});
