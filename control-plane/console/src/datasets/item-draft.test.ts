import { expect, test } from 'vitest';
import { draftOfItem, emptyItem, itemOf } from './item-draft.ts';

test.each([
  ['variables and a text', { input: { q: 'Why?' }, expected_output: 'x', metadata: { a: 1 } }],
  [
    'messages and JSON',
    {
      input: [
        { role: 'user' as const, content: 'Hi' },
        { role: 'user' as const, content: [{ type: 'image_url', image_url: { url: 'u' } }] },
      ],
      expected_output: { a: [1, 'b'] },
      metadata: {},
    },
  ],
  ['nothing expected', { input: {}, expected_output: null, metadata: {} }],
  ['a text that is JSON', { input: {}, expected_output: '{"a":1}', metadata: {} }],
])('an item does not change when it is opened in the form: %s', (_what, item) => {
  expect(itemOf(draftOfItem(item))).toEqual({ item });
});

test('empty fields mean no expected output and no metadata', () => {
  const draft = { ...emptyItem, expectedKind: 'json' as const, expected: ' ', metadata: '' };
  expect(itemOf(draft)).toEqual({
    item: { input: { question: '' }, expected_output: null, metadata: {} },
  });
});

test('each invalid field has an error', () => {
  const draft = {
    ...emptyItem,
    variables: '[1]',
    expectedKind: 'json' as const,
    expected: '{',
    metadata: '1',
  };
  expect(itemOf(draft)).toEqual({
    errors: {
      variables: 'Expected a JSON object, such as {"question": "…"}.',
      expected: 'Expected JSON.',
      metadata: 'Expected a JSON object.',
    },
  });
  // Hidden variables are not parsed.
  expect(itemOf({ ...emptyItem, kind: 'messages', variables: '[' })).toHaveProperty('item');
});
