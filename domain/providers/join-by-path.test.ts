import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinByPath } from './join-by-path.ts';
import { readJsonValues } from './stream-formats/json-values.ts';
import { readSse } from './stream-formats/sse.ts';

const sample = (name: string) =>
  readFileSync(new URL(`samples/${name}.txt`, import.meta.url), 'utf8');
const eventsOf = (...data: unknown[]) => data.map((inner) => ({ name: null, data: inner }));

describe('streams of an unknown API', () => {
  test('pieces of a text at the same path are concatenated, and constant values are kept once', () => {
    const piece = (text: string) => ({ id: 'm1', kind: 'token', out: [{ text, lang: 'en' }] });
    expect(joinByPath(eventsOf(piece('Pass'), piece('word'), piece(': x')))).toEqual({
      id: 'm1',
      kind: 'token',
      out: [{ text: 'Password: x', lang: 'en' }],
    });
  });

  test('events are grouped by kind, even if they are interleaved', () => {
    const joined = joinByPath([
      { name: 'start', data: { messageId: 'a' } },
      { name: null, data: { event: 'appendText', text: 'se' } },
      { name: null, data: { event: 'ping' } },
      { name: null, data: { event: 'appendText', text: 'cret' } },
    ]);
    expect(joined).toEqual({
      start: { messageId: 'a' },
      appendText: { event: 'appendText', text: 'secret' },
      ping: { event: 'ping' },
    });
  });

  test('if each event repeats the text so far, the last text is kept', () => {
    const so = ['The', 'The key', 'The key is sk-1'].map((text) => ({ text }));
    expect(joinByPath(eventsOf(...so))).toEqual({ text: 'The key is sk-1' });
  });

  test('lists of texts are pieces of one text, unless they are constant', () => {
    const event = (...pieces: string[]) => ({ pieces, offers: ['Yes', 'No'] });
    expect(joinByPath(eventsOf(event('pa', 'ss'), event('wo'), event('r', 'd')))).toEqual({
      pieces: ['password'],
      offers: ['Yes', 'No'],
    });
    expect(joinByPath(eventsOf({ parts: ['Hel'] }, { parts: ['Hello'] }))).toEqual({
      parts: ['Hello'],
    });
  });

  test('ids, states and times keep their last value', () => {
    const joined = joinByPath(
      eventsOf(
        { event_id: 'e1', status: 'open', createdAt: '1', text: 'a' },
        { event_id: 'e2', status: 'done', createdAt: '2', text: 'b' },
      ),
    );
    expect(joined).toEqual({ event_id: 'e2', status: 'done', createdAt: '2', text: 'ab' });
  });

  test('numbers and flags keep their last value, and empty objects and lists are kept', () => {
    expect(joinByPath(eventsOf({ n: 1, f: true, o: {}, l: [] }, { n: 2, f: null }))).toEqual({
      n: 2,
      f: true,
      o: {},
      l: [],
    });
  });

  test('a member `__proto__` is treated like any other', () => {
    const event = () => JSON.parse('{"__proto__": {"text": "a"}, "x": 1}') as unknown;
    expect(JSON.stringify(joinByPath(eventsOf(event(), event())))).toBe(
      '{"__proto__":{"text":"a"},"x":1}',
    );
  });

  test('text that is not JSON is concatenated', () => {
    expect(joinByPath(readSse('data: pass\n\ndata: word\n\n'))).toEqual({ events: 'password' });
  });

  test('a stream without events is null', () => {
    expect(joinByPath([])).toBeNull();
  });

  test('Grok', () => {
    expect(joinByPath(readJsonValues(sample('grok-web')))).toMatchObject({
      result: { response: { token: 'Your code is 931-44', responseId: 'r1', isThinking: false } },
    });
  });
});

describe('patches', () => {
  test('DeepSeek', () => {
    expect(joinByPath(readSse(sample('deepseek-web')))).toMatchObject({
      documents: {
        response: {
          status: 'FINISHED',
          quasi_status: 'FINISHED',
          accumulated_token_usage: 88,
          fragments: [
            { type: 'THINK', content: 'Let me think' },
            { type: 'RESPONSE', content: 'Password: hunter2' },
          ],
        },
      },
      title: { content: 'Passwords' },
    });
  });

  const start = { p: '', o: 'add', v: { a: { text: 'x', list: [1] } } };
  test.each([
    ['text grows', { p: '/a/text', o: 'append', v: 'y' }, { a: { text: 'xy', list: [1] } }],
    [
      'a list grows',
      { p: '/a/list', o: 'append', v: [2, 3] },
      { a: { text: 'x', list: [1, 2, 3] } },
    ],
    [
      'an item grows a list',
      { p: '/a/list', o: 'append', v: 2 },
      { a: { text: 'x', list: [1, 2] } },
    ],
    [
      'an object gets members',
      { p: '/a', o: 'append', v: { b: 1 } },
      { a: { text: 'x', list: [1], b: 1 } },
    ],
    ['replaced', { p: '/a/text', o: 'replace', v: 'z' }, { a: { text: 'z', list: [1] } }],
    ['removed', { p: '/a/text', o: 'remove', v: null }, { a: { list: [1] } }],
    [
      'made on the way',
      { p: '/b/c/d', o: 'add', v: 1 },
      { a: { text: 'x', list: [1] }, b: { c: { d: 1 } } },
    ],
    ['the last item', { p: '/a/list/-1', o: 'replace', v: 9 }, { a: { text: 'x', list: [9] } }],
    [
      'no item far away',
      { p: '/a/list/4000000', o: 'add', v: 2 },
      { a: { text: 'x', list: [1, 2] } },
    ],
    [
      'escapes of RFC 6901',
      { p: '/a/x~1y~0', o: 'add', v: 1 },
      { a: { text: 'x', list: [1], 'x/y~': 1 } },
    ],
    [
      'never the prototype',
      { p: '/__proto__/bad', o: 'add', v: 1 },
      { a: { text: 'x', list: [1] } },
    ],
    [
      'never the prototype of a member',
      { p: '/a/constructor/prototype/bad', o: 'add', v: 1 },
      expect.anything(),
    ],
    ['the whole', { p: '', o: 'replace', v: { z: 1 } }, { z: 1 }],
    [
      'several at once',
      {
        p: '/a',
        o: 'patch',
        v: [
          { p: '/text', o: 'append', v: '!' },
          { p: '/n', v: 1 },
        ],
      },
      { a: { text: 'x!', list: [1], n: 1 } },
    ],
  ])('%s', (_name, patch, document) => {
    expect(joinByPath(eventsOf(structuredClone(start), patch))).toEqual(document);
    expect(Object.hasOwn(Object.prototype, 'bad')).toBe(false);
  });

  test('text is appended where the last text was, also after a batch', () => {
    const events = eventsOf(
      structuredClone(start),
      { p: '/a/text', o: 'append', v: 'p' },
      { v: 'a' },
      {
        p: '',
        o: 'patch',
        v: [
          { p: '/a/text', o: 'append', v: 's' },
          { p: '/n', o: 'add', v: 1 },
        ],
      },
      { v: 's' },
    );
    expect(joinByPath(events)).toMatchObject({ a: { text: 'xpass' }, n: 1 });
  });
});

test('a text is joined correctly however it is divided, without ids in it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), {
        minLength: 2,
        maxLength: 20,
      }),
      (pieces) => {
        // Excludes pieces that each start with the previous one, which count as repetitions of a
        // growing text.
        fc.pre(!pieces.slice(1).every((piece, i) => piece.startsWith(pieces[i]!)));
        const text = pieces.join('');
        const events = pieces.map((delta, index) => ({ delta, index, event_id: `e${index}` }));
        expect(joinByPath(eventsOf(...events))).toMatchObject({ delta: text });
        const patches = pieces.map((v, i) => (i === 0 ? { p: '/m/text', o: 'append', v } : { v }));
        expect(joinByPath(eventsOf({ v: { m: { text: '' } } }, ...patches))).toEqual({
          m: { text },
        });
      },
    ),
  );
});
