import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PromptContent } from '#contract/prompt-content.ts';
import { contentMismatch, labelProblem, previewOf, totalUsage } from './rules.ts';

const chat: PromptContent = [
  { role: 'system', content: 'Be kind.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'https://p.test' } },
    ],
  },
];

test.each([
  ['text', 'a', undefined],
  ['chat', chat, undefined],
  ['text', chat, 'content: expected a string, because prompt_type is "text"'],
  ['chat', 'a', 'content: expected an array of messages, because prompt_type is "chat"'],
] as const)('the content of a %s prompt is checked: %j', (type, content, problem) => {
  expect(contentMismatch(type, content as PromptContent)).toBe(problem);
});

test.each([
  ['production', true],
  ['v1.2_beta-3', true],
  ['a'.repeat(100), true],
  ['a'.repeat(101), false],
  ['', false],
  ['.hidden', false],
  ['two words', false],
  ['grün', false],
  ['a/b', false],
])('the label %j', (label, good) => {
  expect(labelProblem(label) === undefined).toBe(good);
});

test.each<[PromptContent, string]>([
  ['short', 'short'],
  [chat, 'system: Be kind.\nuser: What is it? [image_url]'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(199)}…`],
  ['😀'.repeat(1000), `${'😀'.repeat(199)}…`],
])('preview of %j', (content, preview) => {
  expect(previewOf(content)).toBe(preview);
});

test('a preview is short, well-formed, and the beginning of the content', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      const preview = previewOf(text);
      expect(Array.from(preview).length).toBeLessThanOrEqual(200);
      expect(preview.isWellFormed()).toBe(true);
      expect(text.startsWith(preview === text ? text : preview.slice(0, -1))).toBe(true);
    }),
  );
});

test('versions with the same content count once', () => {
  const used = (content_hash: string, call_count: number) => ({
    content_hash,
    call_count,
    total_tokens: call_count * 10,
    total_cost: call_count / 2,
  });
  expect(totalUsage([used('a', 3), used('b', 1), used('a', 3)])).toEqual({
    call_count: 4,
    total_tokens: 40,
    total_cost: 2,
  });
  expect(totalUsage([])).toEqual({ call_count: 0, total_tokens: 0, total_cost: 0 });
});
