import { expect, test } from 'vitest';
import type { PromptContent } from '../data/prompt-sources.ts';
import { contentOf, draftOf, withMessage, withMoved } from './draft.ts';

const contents: PromptContent[] = [
  'Hello {{name}}',
  [
    { role: 'system', content: 'You are kind.' },
    { role: 'user', content: 'Hi', name: 'ada' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }] },
  ],
];

test.each(contents)('an unedited draft is converted back to the same content: %j', (content) => {
  expect(contentOf(draftOf(content))).toEqual(content);
});

test('editing the text and role of a message keeps its name', () => {
  const draft = draftOf([{ role: 'user', content: 'Hi', name: 'ada' }]);
  if (typeof draft === 'string') throw new Error('expected messages');
  const edited = draft.map((message) => ({ ...message, role: 'assistant' as const, text: 'Ho' }));
  expect(contentOf(edited)).toEqual([{ role: 'assistant', content: 'Ho', name: 'ada' }]);
});

test('an added message has the opposite role and a unique key', () => {
  const one = withMessage([]);
  const two = withMessage(one);
  const three = withMessage(two.slice(1));
  expect(two.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(new Set([...two, ...three].map(({ key }) => key)).size).toBe(3);
});

test('a message moves up and down, but not beyond the ends', () => {
  const three = withMessage(withMessage(withMessage([])));
  const keysOf = (key: number, by: -1 | 1) => withMoved(three, key, by).map((one) => one.key);
  expect(keysOf(2, -1)).toEqual([0, 2, 1]);
  expect(keysOf(0, 1)).toEqual([1, 0, 2]);
  expect([keysOf(0, -1), keysOf(2, 1)]).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ]);
});
