import { describe, expect, test } from 'vitest';
import { find, findAll, parseXml } from './xml.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

describe('reading XML', () => {
  test('returns elements, attributes and text', () => {
    const root = parse(
      '<?xml version="1.0"?><a x="1&amp;2"><!-- no --><b> <c>one</c> </b><c><![CDATA[<two>]]></c></a>',
    );
    expect(root.attributes.get('x')).toBe('1&2');
    expect(find(root, 'b', 'c')?.text).toBe('one');
    expect(find(root, 'c', 'b')).toBeUndefined();
    expect(findAll(root, 'c').map(({ text }) => text)).toEqual(['one', '<two>']);
  });

  test.each([
    ['', 'not well-formed XML'],
    ['text', 'not well-formed XML'],
    ['<a>', 'not well-formed XML'],
    ['<a></b>', 'not well-formed XML'],
    ['<a>&nope;</a>', 'not well-formed XML'],
    ['<a x=1/>', 'not well-formed XML'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'XML with a document type declaration'],
    ['<!doctype a SYSTEM "file:///etc/passwd"><a/>', 'XML with a document type declaration'],
    [`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, 'XML nested deeper than 64'],
    ['<a>'.repeat(30_000), 'not well-formed XML'],
    [`<a>${'<b/>'.repeat(100_000)}</a>`, 'XML of more than 100000 tags'],
  ])('rejects %.30s', (text, reason) => {
    expect(() => parse(text)).toThrow(reason);
    expect(() => parse(text)).toThrow(/^[^\n]{1,200}$/);
  });

  test('rejects invalid UTF-8', () => {
    expect(() => parseXml(Buffer.from('<a>\xe9</a>', 'latin1'))).toThrow('XML that is not UTF-8');
  });
});
