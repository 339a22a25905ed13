import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PIECE_LENGTH, textPieces } from './text-pieces.ts';

const joined = (text: string): string =>
  textPieces(text)
    .map((piece) => piece.text)
    .join('');

const line = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '```', '~~~ts', '````', '# Heading', 'word '.repeat(300), 'x'.repeat(9000)),
);

test('the pieces of a text form the text, and none is long', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join('\n');
      expect(joined(text)).toBe(text);
      for (const piece of textPieces(text))
        expect(piece.text.length).toBeLessThanOrEqual(2 * PIECE_LENGTH + 2);
    }),
  );
});

test('no emoji is split', () => {
  const text = `a${'🙂'.repeat(PIECE_LENGTH)}`;
  for (const piece of textPieces(text)) expect(piece.text.isWellFormed()).toBe(true);
});

test('a text is split at a blank line, not within a paragraph', () => {
  const paragraph = `${'word '.repeat(500)}\n\n`;
  const [first] = textPieces(paragraph.repeat(4));
  expect(first?.text).toBe(paragraph);
});

test('code that must be split continues as code', () => {
  const text = `Before\n\n\`\`\`ts\n${'const a = 1;\n'.repeat(1000)}\`\`\`\n\nAfter`;
  const fences = textPieces(text).map(({ fence }) => fence);
  expect(fences[0]).toBeNull();
  expect(new Set(fences.slice(1, -1))).toEqual(new Set(['```ts\n']));
});
