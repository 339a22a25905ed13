import { expect, test } from 'vitest';
import { providerAt } from './provider-at.ts';

test.each([
  ['https://api.openai.com/v1', 'openai'],
  ['https://mine.openai.azure.com/openai', 'azure'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://bedrock-runtime.eu-west-1.amazonaws.com', 'aws'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'google'],
  ['https://api.openai.com.evil.example/v1', undefined],
  ['https://notapi.openai.com/v1', undefined],
  ['http://127.0.0.1:4000', undefined],
  ['not a URL', undefined],
  [undefined, undefined],
])('the provider at %s is %s', (url, provider) => expect(providerAt(url)).toBe(provider));
