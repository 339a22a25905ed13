import { expect, test } from 'vitest';
import { modelLibraryIn, usesMcpOrTokenizer } from './model-libraries.ts';

test.each([
  ['openai', true],
  ['pydantic_ai_slim', true],
  ['async-openai', true],
  ['github.com/openai/openai-go', true],
  ['github.com/openai/openai-go/v3', true],
  ['github.com/openai/openai-gopher', false],
  ['@ai-sdk/xai', true],
  ['@langchain/groq', true],
  ['langchain_mistralai', true],
  ['llama-index-llms-ollama', true],
  ['@ai-sdk/react', false],
  ['langchain-text-splitters', false],
  ['llama-indexer', false],
  ['mcp', false],
  ['chalk', false],
])('a program with %s calls a model: %s', (name, expected) => {
  expect(modelLibraryIn(['chalk', name])).toBe(expected ? name : undefined);
});

test.each([
  ['@modelcontextprotocol/sdk', true],
  ['github.com/mark3labs/mcp-go', true],
  ['github.com/mark3labs/mcp-go/v2', true],
  ['tiktoken', true],
  ['mcp3008', false],
  ['github.com/mark3labs/mcp-gopher', false],
])('a program with %s uses MCP or counts tokens: %s', (name, expected) => {
  expect(usesMcpOrTokenizer(['chalk', name])).toBe(expected);
});
