import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inChunks, type Transmission, replay } from './testing/conversation.ts';
import { bytesOf, plain, record } from './testing/recorder.ts';
import { summary } from './testing/observe-http1.ts';

interface Message {
  head: string[];
  body: string;
  framing: 'length' | 'chunked' | 'none';
  chunks: number[];
  lineEnd: string;
}

interface Turn {
  method: string;
  request: Message;
  interim: number[];
  status: number;
  response: Message;
}

const text = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', '0', ':', ' ', '\u00ff'),
  maxLength: 60,
});
const message: fc.Arbitrary<Message> = fc.record({
  head: fc.array(fc.constantFrom('X-A: b', 'x-fold: a\r\n  b', 'Y:', 'Set-Cookie: a=b; c')),
  body: text,
  framing: fc.constantFrom('length', 'chunked', 'none'),
  chunks: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
  lineEnd: fc.constantFrom('\r\n', '\n'),
});
const turn: fc.Arbitrary<Turn> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'M-SEARCH'),
  request: message,
  interim: fc.array(fc.constantFrom(100, 102, 103), { maxLength: 2 }),
  status: fc.constantFrom(200, 204, 304, 401, 500),
  response: message,
});

function written(startLine: string, { head, body, framing, chunks, lineEnd }: Message): string {
  const lines = [startLine, ...head];
  if (framing === 'length') lines.push(`Content-Length: ${body.length}`);
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked');
  const whole = `${lines.join(lineEnd)}${lineEnd}${lineEnd}`;
  if (framing === 'none') return whole;
  return whole + (framing === 'length' ? body : inHttpChunks(body, chunks));
}

function inHttpChunks(body: string, sizes: readonly number[]): string {
  let coded = '';
  for (let at = 0, i = 0; at < body.length; i++) {
    const part = body.slice(at, at + (sizes[i % sizes.length] ?? 1));
    coded += `${part.length.toString(16)};ext\r\n${part}\r\n`;
    at += part.length;
  }
  return `${coded}0\r\nX-Trailer: t\r\n\r\n`;
}

function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

/** A body without a length ends with the connection, so only the last one may lack it. */
function responseText({ method, status, interim, response }: Turn): string {
  const framed = {
    ...response,
    framing: response.framing === 'none' ? 'length' : response.framing,
  } as const;
  const whole = written(`HTTP/1.1 ${status} Reason: x`, framed);
  const head = written(`HTTP/1.1 ${status}`, { ...framed, body: '', framing: 'none' });
  const interims = interim.map((code) => `HTTP/1.1 ${code} Wait\r\nLink: x\r\n\r\n`).join('');
  return interims + (hasBody(method, status) ? whole : head);
}

describe('generated HTTP/1 conversations', () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 })),
    {
      minLength: 1,
      maxLength: 8,
    },
  );

  test('are read as written, for any split of the bytes and with pipelining', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 6 }),
        fc.boolean(),
        sizes,
        (turns, isPipelined, cut) => {
          const requests = turns.map((each, i) =>
            bytesOf(written(`${each.method} /${i} HTTP/1.1`, each.request)),
          );
          const responses = turns.map((each) => bytesOf(responseText(each)));
          const passed: Transmission[] = requests.flatMap((bytes, i) => [
            { from: 'client', bytes },
            { from: 'server', bytes: responses[i] ?? bytes },
          ]);
          if (isPipelined) passed.sort((a, b) => a.from.localeCompare(b.from));
          const recorder = record('http/1.1');
          replay(recorder.observer, inChunks(passed, cut));
          expect(recorder.givenUp).toEqual([]);
          expect(recorder.exchanges.map(summary)).toEqual(
            turns.map(({ method, request, status, response }, i) => {
              const requestBody = request.framing === 'none' ? '' : request.body;
              const responseBody = hasBody(method, status) ? response.body : '';
              return `${method} /${i} [${requestBody}] -> ${status} [${responseBody}]`;
            }),
          );
        },
      ),
    );
  });

  test('result in the same exchanges for any split, damaged or not', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 4 }), damage, sizes, (turns, damages, cut) => {
        const passed: Transmission[] = turns.flatMap((each, i) => [
          {
            from: 'client',
            bytes: bytesOf(written(`${each.method} /${i} HTTP/1.1`, each.request)),
          },
          { from: 'server', bytes: bytesOf(responseText(each)) },
        ]);
        for (const [at, value] of damages) {
          const bytes = passed[at % Math.max(1, passed.length)]?.bytes;
          if (bytes) bytes[at % bytes.length] = value;
        }
        const whole = record('http/1.1');
        replay(whole.observer, passed);
        const cutUp = record('http/1.1');
        replay(cutUp.observer, inChunks(passed, cut));
        expect(cutUp.exchanges.map(plain)).toEqual(whole.exchanges.map(plain));
        expect(cutUp.givenUp).toEqual(whole.givenUp);
      }),
    );
  });
});
