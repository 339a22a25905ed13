import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';
import { safeUrl } from './external-link.tsx';

const typesOf = (node: Nodes): string[] => [
  node.type,
  ...('children' in node ? node.children.flatMap(typesOf) : []),
];
const textOf = (node: Nodes): string =>
  'value' in node ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';

const known = new Set(
  `root paragraph text emphasis strong delete inlineCode code break link image heading blockquote list
  listItem table tableRow tableCell thematicBreak`.split(/\s+/),
);

test.each([
  ['<script>alert(1)</script>'],
  ['<div>\n\n**a**\n\n</div>'],
  ['<!-- a comment -->'],
  ['<a href="javascript:alert(1)">b</a>'],
  ['[a]: https://a.example "never shown"'],
])('%j stays text', (text) => {
  const tree = parseMarkdown(text);
  expect(tree && typesOf(tree)).not.toContain('html');
  expect(tree && textOf(tree).replaceAll('**', '')).toContain(
    text.split('\n')[0]?.replaceAll(/https.*/g, ''),
  );
});

test('every text results only in kinds of nodes that can be shown', () => {
  const piece = fc.constantFrom(
    '<b>',
    '[a](b)',
    '![c](d)',
    '[e]: f',
    '[e]',
    '[^1]',
    '[^1]: g',
    '`',
    '**',
  );
  const text = fc.array(
    fc.oneof(
      piece,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\n\n', '> ', '- ', '|', '|-|\n'),
    ),
  );
  fc.assert(
    fc.property(text, (parts) => {
      const tree = parseMarkdown(parts.join(''));
      for (const type of tree ? typesOf(tree) : []) expect(known).toContain(type);
    }),
  );
});

test('very deeply nested containers are not parsed', () => {
  expect(parseMarkdown('> '.repeat(2000))).toBeUndefined();
  expect(parseMarkdown('- '.repeat(2000))).toBeUndefined();
  expect(parseMarkdown(`text\n${'1. '.repeat(2000)}`)).toBeUndefined();
});

test.each([
  ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
  ['HTTP://a.example', 'http://a.example/'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  [' javascript:alert(1)', undefined],
  ['java\tscript:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['vbscript:x', undefined],
  ['blob:https://a.example/1', undefined],
  ['file:///etc/passwd', undefined],
  ['//a.example', undefined],
  ['/runs/1', undefined],
  ['#content', undefined],
  ['http://', undefined],
  ['', undefined],
])('the address %j links to %j', (text, expected) => expect(safeUrl(text)).toBe(expected));
