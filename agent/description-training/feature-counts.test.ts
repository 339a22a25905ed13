import { expect, test } from 'vitest';
import { countFeatures, weightsOfRare } from './feature-counts.ts';

const described = (...summaries: readonly string[]) =>
  summaries.map((summary) => ({ name: '', summary }));

test('a feature counts once in each description', () => {
  const counts = countFeatures(described('chats, chats', 'chats', 'mail'));
  expect([counts.get('chats'), counts.get('mail'), counts.get('files')]).toEqual([2, 1, undefined]);
});

test('weights of features that three descriptions have are left out', () => {
  const weights = { chats: 1, mail: 2, 'keyword:ai': 3 };
  const descriptions = described('chats', 'chats with', 'mail and chats', 'mail');
  expect(weightsOfRare({ bias: -1, weights }, descriptions)).toEqual({
    bias: -1,
    weights: { mail: 2, 'keyword:ai': 3 },
  });
});
