import { expect, test } from 'vitest';
import { configOf, draftOfConfig, emptyConfig } from './config-draft.ts';
import type { Config } from './config-draft.ts';

const tools = [{ type: 'function', function: { name: 'f' } }];

const configs: Config[] = [
  {},
  { model: 'gpt-4o', temperature: 0, max_tokens: 5, top_p: 0.5 },
  { tools, response_format: { type: 'json_object' }, stop: ['a'], seed: 7 },
  { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } },
  // Members of types that the fields do not support.
  { model: 3, tools: {}, temperature: '1', response_format: { type: 'grammar', syntax: 'x' } },
  { response_format: { type: 'json_schema', json_schema: { name: 'n' }, strict: true } },
  { response_format: 'text', top_p: null },
];

test.each(configs)('an unedited draft is converted back to the same config: %j', (config) => {
  expect(configOf(draftOfConfig(config))).toEqual({ config });
});

test('clearing a field removes its member', () => {
  const draft = { ...draftOfConfig({ model: 'a', top_p: 1, seed: 1 }), top_p: ' ', others: '' };
  expect(configOf(draft)).toEqual({ config: { model: 'a' } });
});

test.each([
  [{ temperature: '2.5' }, { temperature: 'Expected a number from 0 to 2.' }],
  [{ max_tokens: '1.5' }, { max_tokens: 'Expected a whole number from 1 to 1000000.' }],
  [{ top_p: 'much' }, { top_p: 'Expected a number from 0 to 1.' }],
  [{ tools: '{}' }, { tools: 'Expected a JSON array of tools.' }],
  [{ format: 'json_schema' }, { schema: 'Expected a JSON object with name and schema.' }],
  [{ others: '[1]' }, { others: 'Expected a JSON object.' }],
])('%j is rejected with a reason', (typed, errors) => {
  expect(configOf({ ...emptyConfig, ...typed })).toEqual({ errors });
});

test('a field takes precedence over a member of the same name in others', () => {
  const draft = { ...emptyConfig, temperature: '1', others: '{"temperature": 2, "seed": 3}' };
  expect(configOf(draft)).toEqual({ config: { temperature: 1, seed: 3 } });
});
