import { expect, test } from 'vitest';
import { testSpan } from '#test/otel/test-span.ts';
import type { Attributes } from './attributes.ts';
import { modelOf, providerOf } from './model-of-call.ts';

test.each<[string, Attributes, string | undefined]>([
  [
    'the response',
    { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.response.model': 'gpt-4o-1' },
    'gpt-4o-1',
  ],
  ['the request', { 'gen_ai.request.model': 'gpt-4o' }, 'gpt-4o'],
  ['the parameters', { 'llm.invocation_parameters': '{"model":"gpt-4o","n":1}' }, 'gpt-4o'],
  ['parameters without a model', { 'llm.invocation_parameters': '{}' }, undefined],
  ['invalid parameters', { 'llm.invocation_parameters': '{"model":{}}' }, undefined],
  ['nothing', {}, undefined],
])('the model in %s', (_place, attributes, model) => {
  expect(modelOf(attributes)).toBe(model);
});

test.each([
  ['gpt-4o', 'openai'],
  ['o3-mini', 'openai'],
  ['text-embedding-3-small', 'openai'],
  ['Claude-Sonnet-4-6', 'anthropic'],
  ['gemini-2.5-flash', 'gcp.gemini'],
  ['models/gemini-2.5-flash', 'gcp.gemini'],
  ['deepseek-chat', 'deepseek'],
  ['grok-4', 'x_ai'],
  ['sonar-pro', 'perplexity'],
  // Others serve these as well.
  ['gpt-oss:20b', null],
  ['deepseek-r1:8b', null],
  ['mistral-nemo', null],
  ['openai/gpt-oss-120b', null],
  ['llama3.2', null],
  ['unknown', null],
])('without a provider, that of %s is %s', (model, provider) => {
  expect(providerOf(testSpan({}), model)).toBe(provider);
});

test.each<[string, Attributes, string]>([
  ['a stated provider', { 'gen_ai.provider.name': 'Azure.AI.OpenAI' }, 'azure.ai.openai'],
  ['that of LangChain', { metadata: '{"ls_provider":"ollama"}' }, 'ollama'],
  ['the name of the scope itself', { 'gen_ai.system': 'weather-service' }, 'openai'],
])('%s decides before the model', (_what, attributes, provider) => {
  const scope = { name: 'weather-service', version: '1' };
  expect(providerOf(testSpan({ attributes, scope }), 'gpt-4o')).toBe(provider);
});
