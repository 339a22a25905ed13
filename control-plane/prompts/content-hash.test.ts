import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PromptContent } from '#contract/prompt-content.ts';
import { contentHash } from './content-hash.ts';

// The hashes were created with `printf '…' | sha256sum`, because stored hashes must never change.
test.each<[PromptContent, string]>([
  ['Hello {{name}}', '652b7c016734eedbef52857a9b0ed99076468635861e3a29201b847f71e86da7'],
  ['Grüße 😀', '3436cf1c2f912923eb6c58432bc973f1e3bf57852f000822b53954e45e6c5be4'],
  [
    [{ role: 'user', content: 'Hi' }],
    '557f6d9586f57ae72d24a7d34f47ed219efecbc197894dfead83851aaa02e87f',
  ],
  [
    [
      { role: 'system', content: [{ type: 'text', text: 'é' }] },
      { role: 'user', name: 'n', content: 'x' },
    ],
    'b63fc938c837f1a1e317f758c103b18ce39aa88b7535f77b847a4b2cb3b91b81',
  ],
])('%j', (content, expected) => {
  expect(contentHash(content)).toBe(expected);
});

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([key, inner]) => [key, reversed(inner)]));
};

const chat = fc
  .array(
    fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(fc.string(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
    }),
    { minLength: 1 },
  )
  .map((messages) => JSON.parse(JSON.stringify(messages)) as PromptContent);

test('the hash does not depend on key order or storage', () => {
  fc.assert(
    fc.property(chat, (content) => {
      const elsewhere = reversed(JSON.parse(JSON.stringify(content))) as PromptContent;
      expect(elsewhere).toEqual(content);
      expect(contentHash(elsewhere)).toBe(contentHash(content));
    }),
  );
});

test('different contents have different hashes', () => {
  fc.assert(
    fc.property(chat, fc.string({ minLength: 1 }), (content, more) => {
      const added = [...(content as object[]), { role: 'user', content: more }] as PromptContent;
      expect(contentHash(added)).not.toBe(contentHash(content));
    }),
  );
});
