import { describe, expect, test } from 'vitest';
import { client, replay, server, type Transmission } from './testing/conversation.ts';
import {
  block,
  data,
  END_HEADERS,
  END_STREAM,
  frame,
  headers,
  PADDED,
  preface,
  PRIORITY,
  settings,
} from './testing/http2-writer.ts';
import { bytesOf, record } from './testing/recorder.ts';

const greetings = [client(preface, settings()), server(settings(), frame(4, 1, 0))];

const get = { ':method': 'GET', ':scheme': 'https', ':authority': 'a', ':path': '/' };
const post = { ...get, ':method': 'POST' };
const ok = { ':status': '200' };

describe('observation of HTTP/2 stops', () => {
  const half = block(get).subarray(0, 8);
  test.each<[string, Transmission[], string]>([
    [
      'no SETTINGS at first',
      [client(preface), server(headers(1, ok))],
      'the first frame is not SETTINGS',
    ],
    ['another preface', [client(bytesOf('GET / HTTP/1.1\r\n'))], 'no HTTP/2 connection preface'],
    ...[
      [
        'a request on an even stream',
        client(headers(2, get)),
        'a request on a stream of the server',
      ],
      ['a request without a method', client(headers(1, ok)), 'a request without a method'],
      ['DATA on stream 0', client(data(0, 'a')), 'a frame that does not belong on its stream'],
      [
        'SETTINGS on a stream',
        client(frame(4, 0, 1)),
        'a frame that does not belong on its stream',
      ],
      ['SETTINGS cut short', client(frame(4, 0, 0, half)), 'malformed SETTINGS'],
      ['GOAWAY cut short', server(frame(7, 0, 0)), 'a truncated frame'],
      [
        'a block interrupted',
        client(frame(1, 0, 1, half), data(1, '')),
        'a header block interrupted',
      ],
      [
        'blocks interleaved',
        client(frame(1, 0, 1, half), frame(9, 0, 3, half)),
        'header blocks interleaved',
      ],
      ['CONTINUATION of nothing', client(frame(9, 0, 1, half)), 'a header block interrupted'],
      [
        'padding of HEADERS',
        client(frame(1, PADDED | END_HEADERS, 1, bytesOf('\u0002a'))),
        'more padding than payload',
      ],
      [
        'priority cut short',
        client(frame(1, PRIORITY | END_HEADERS, 1, bytesOf('abcd'))),
        'more padding than payload',
      ],
      [
        'padding of DATA',
        client(headers(1, post), frame(0, PADDED, 1, bytesOf('\u0002a'))),
        'more padding than payload',
      ],
      [
        'padding of no DATA',
        client(headers(1, post), frame(0, PADDED, 1)),
        'more padding than payload',
      ],
      [
        'a frame too large',
        client(frame(1, 0, 1, new Uint8Array(65_537))),
        'a frame too large to read',
      ],
      [
        'a block too large',
        client(frame(1, 0, 1, new Uint8Array(65_536)), frame(9, 0, 1, half)),
        'more than 65536 bytes of header block',
      ],
      [
        'a block that makes no sense',
        client(frame(1, END_HEADERS, 1, Uint8Array.of(0x80))),
        'an invalid header index',
      ],
      [
        'DATA behind the end',
        client(headers(1, post, END_STREAM), data(1, 'a')),
        'a frame behind the end of its stream',
      ],
      [
        'a second end',
        client(headers(1, post, END_STREAM), headers(1, {}, END_STREAM)),
        'a frame behind the end of its stream',
      ],
      [
        'a second head',
        client(headers(1, post), headers(1, post)),
        'trailers that are not the end',
      ],
    ].map(
      ([name, passed, reason]) =>
        [name, [...greetings, passed], reason] as [string, Transmission[], string],
    ),
    [
      'an answer without a status',
      [...greetings, client(headers(1, get)), server(headers(1, {}))],
      'an answer without a status',
    ],
    [
      'a body without a head',
      [...greetings, client(headers(1, get)), server(data(1, 'a'))],
      'an answer without a head',
    ],
    [
      'an interim end',
      [...greetings, client(headers(1, get)), server(headers(1, { ':status': '100' }, END_STREAM))],
      'an interim answer at the end',
    ],
  ])('%s', (_, passed, reason) => {
    const { observer, givenUp, exchanges, budget } = record('h2');
    replay(observer, passed);
    expect(givenUp).toEqual([reason]);
    for (const exchange of exchanges) {
      expect(exchange).toMatchObject({ endedAt: null, aborted: false });
      exchange.release();
    }
    expect(budget.held()).toBe(0);
  });
});
