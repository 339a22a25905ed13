import { expect, test } from 'vitest';
import { expectedJson, expectedPreview, inputPreview } from './rules.ts';

test.each([
  ['variables', { question: 'Why?', tags: ['a'] }, 'question: Why?\ntags: ["a"]'],
  ['no variables', {}, ''],
  [
    'messages',
    [
      { role: 'system' as const, content: 'Be kind.' },
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'Hi' }, { type: 'image_url' }],
      },
    ],
    'system: Be kind.\nuser: Hi [image_url]',
  ],
])('the preview of %s', (_what, input, preview) => {
  expect(inputPreview(input)).toBe(preview);
});

test('a preview is cut between characters', () => {
  const preview = inputPreview({ q: '😀'.repeat(600) });
  expect(Array.from(preview)).toHaveLength(500);
  expect(preview.isWellFormed()).toBe(true);
  expect(preview.endsWith('😀…')).toBe(true);
});

test.each([
  ['a text', 'Paris', 'Paris', '"Paris"'],
  ['JSON', { a: [1] }, '{"a":[1]}', '{"a":[1]}'],
  ['false', false, 'false', 'false'],
  ['an empty text', '', '', '""'],
  ['nothing', undefined, null, null],
  ['null', null, null, null],
])('an expected output: %s', (_what, expected, preview, stored) => {
  expect([expectedPreview(expected), expectedJson(expected)]).toEqual([preview, stored]);
});
