import { expect, test } from 'vitest';
import type { PolicyCategory } from '../data/policy-sources.ts';
import { describeFieldError } from './field-errors.ts';
import { documentOf, newDraft, withCategory, matchesPattern } from './policy-draft.ts';

const category = (name: string): PolicyCategory => ({
  name,
  aliases: [],
  summary: '',
  phases: [],
  captured_calls: false,
  rules: { properties: { limit: { type: 'integer' } } },
  defaults: { limit: 1 },
});
const [budget, timeout] = [category('budget'), category('operations')];

test('rules typed for a category reappear when it is selected again', () => {
  const typed = { ...newDraft(budget), rules: { limit: '42' } };
  const other = withCategory(typed, timeout);
  expect(documentOf(other, timeout).rules).toEqual({ limit: 1 });
  expect(documentOf(withCategory(other, budget), budget).rules).toEqual({ limit: 42 });
});

test('severity and mode are saved', () => {
  const draft = { ...newDraft(budget), severity: 'high' as const, mode: 'warn' as const };
  expect(documentOf(draft, budget)).toMatchObject({ severity: 'high', mode: 'warn' });
});

test.each([
  ['Too small: expected number to be >=0.000001', 'Enter 0.000001 or more.'],
  ['Invalid input: expected number, received string', 'Enter a number.'],
  ['unknown time zone "Mars"', 'unknown time zone "Mars"'],
])('the error %s is shown as: %s', (message, text) =>
  expect(describeFieldError(message)).toBe(text),
);

test('a trailing * in a scope matches any ending', () => {
  expect(
    ['mcp:files:read', 'mcp:mail'].filter((name) => matchesPattern('mcp:files:*', name)),
  ).toEqual(['mcp:files:read']);
});
