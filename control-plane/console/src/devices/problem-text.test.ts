import { expect, test } from 'vitest';
import { problemText } from './problem-text.ts';

test.each([
  ['mcp_server: 9017 found, 5000 reported', 'MCP server: 9017 found, 5000 reported'],
  ['new_kind: 9017 found, 5000 reported', 'new_kind: 9017 found, 5000 reported'],
  ['the spool is full', 'the spool is full'],
])('%s: %s', (problem, text) => {
  expect(problemText(problem)).toBe(text);
});
