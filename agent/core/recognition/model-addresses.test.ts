import { expect, test } from 'vitest';
import { modelAddressIn } from './model-addresses.ts';

test.each([
  ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com'],
  ['https://api.anthropic.com', 'https://api.anthropic.com'],
  ['https://api.groq.com/openai/v1', 'https://api.groq.com/openai'],
  [
    'https://generativelanguage.googleapis.com/v1beta/models',
    'https://generativelanguage.googleapis.com',
  ],
  ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api'],
  ['http://localhost:11434', 'http://localhost:11434'],
  ['http://127.0.0.1:11434/api/chat', 'http://127.0.0.1:11434'],
])('%s contains the address of a model', (text, address) => {
  expect(modelAddressIn(Buffer.from(`x\0${text}\0x`))).toBe(address);
});

test.each([
  'api.openai.com',
  'https://api.openai.com.example',
  'https://my.api.openai.com',
  'https://api.github.com/repos',
  'https://openrouter.ai/docs',
  'http://localhost:114345',
])('%s is not the address of a model', (text) => {
  expect(modelAddressIn(Buffer.from(text))).toBeUndefined();
});
