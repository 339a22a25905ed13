import { expect, test } from 'vitest';
import type { PromptContent } from '../data/prompt-sources.ts';
import { contentOf, draftOf, withMessage } from './draft.ts';

const contents: PromptContent[] = [
  'Hello {{name}}',
  [
    { role: 'system', content: 'You are kind.' },
    { role: 'user', content: 'Hi', name: 'ada' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }] },
  ],
];

test.each(contents)('an unedited draft has the same content: %j', (content) => {
  expect(contentOf(draftOf(content))).toEqual(content);
});

test('editing text and role of a message keeps its name', () => {
  const draft = draftOf([{ role: 'user', content: 'Hi', name: 'ada' }]);
  if (typeof draft === 'string') throw new Error('expected messages');
  const edited = draft.map((message) => ({ ...message, role: 'assistant' as const, text: 'Ho' }));
  expect(contentOf(edited)).toEqual([{ role: 'assistant', content: 'Ho', name: 'ada' }]);
});

test('an added message has the other role and a unique key', () => {
  const one = withMessage([]);
  const two = withMessage(one);
  const three = withMessage(two.slice(1));
  expect(two.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(new Set([...two, ...three].map(({ key }) => key)).size).toBe(3);
});
