import { describe, expect, test } from 'vitest';
import type { Masking } from '#contract/settings.ts';
import { createMasker } from './masker.ts';

const masking: Masking = {
  enabled: true,
  builtin: ['EMAIL'],
  keys: [{ key: 'response_preview', type: 'RESPONSE' }],
  patterns: [{ name: 'EMPLOYEE', pattern: 'EMP-\\d{4}' }],
};
const call = { prompt_preview: 'EMP-1234 a@b.io', response_preview: 'Hello' };

test('masks built-in types, keys and patterns together', () => {
  const { active, mask, maskText } = createMasker(masking);
  expect(active).toBe(true);
  expect(mask(call)).toEqual({
    prompt_preview: '##EMPLOYEE## ##EMAIL##',
    response_preview: '##RESPONSE##',
  });
  expect(maskText('by EMP-0001')).toBe('by ##EMPLOYEE##');
});

describe.each([
  ['disabled', { ...masking, enabled: false }],
  ['without rules', { enabled: true, builtin: [], keys: [], patterns: [] }],
])('%s', (_, rules) => {
  test('values are returned unchanged', () => {
    const { active, mask, maskText } = createMasker(rules);
    expect({ active, text: maskText(call.prompt_preview) }).toEqual({
      active: false,
      text: call.prompt_preview,
    });
    expect(mask(call)).toBe(call);
  });
});

test('a stored pattern that no longer compiles masks every text completely', () => {
  const { mask } = createMasker({ ...masking, patterns: [{ name: 'BROKEN', pattern: '(' }] });
  expect(mask({ a: 'anything' })).toEqual({ a: '##BROKEN##' });
});
