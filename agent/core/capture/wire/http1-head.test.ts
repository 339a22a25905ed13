import fc from 'fast-check';
import { expect, test } from 'vitest';
import { observe } from './testing/observe-http1.ts';

const ANSWER = '<HTTP/1.1 204 No Content\r\n\r\n';

/** Lines that may share a beginning with another, continue the previous one, or end differently. */
const fieldLine = fc
  .tuple(
    fc.constantFrom('A: 1', 'A: 12', 'a: 1', 'B:1', ' 1', 'B: \t'),
    fc.constantFrom('\r\n', '\n', '\r\n 2\r\n'),
  )
  .map((parts) => parts.join(''));
const head = fc
  .tuple(fc.constantFrom('GET / HTTP/1.1', 'GET /? HTTP/1.1'), fc.array(fieldLine))
  .map(([startLine, lines]) => `>${startLine}\r\nHost: h\r\n${lines.join('')}\r\n`);

test('a head is parsed the same after other heads of its connection', () => {
  fc.assert(
    fc.property(fc.array(head, { minLength: 2, maxLength: 4 }), (heads) => {
      const fieldsOf = (lines: string[]) =>
        observe(...lines).exchanges.map(({ target, request }) => [target, request.headers]);
      const alone = heads.flatMap((one) => fieldsOf([one, ANSWER]));
      expect(fieldsOf(heads.flatMap((one) => [one, ANSWER]))).toEqual(alone);
    }),
  );
});

test('heads with equal lines share their fields', () => {
  const { exchanges } = observe(
    '>GET /1 HTTP/1.1\r\nHost: h\r\nA: 1\r\n\r\n',
    ANSWER,
    '>GET /2 HTTP/1.1\r\nHost: h\r\nA: 2\r\n\r\n',
    ANSWER,
  );
  const [first, second] = exchanges.map(({ request }) => request.headers);
  expect(second).toEqual([
    ['host', 'h'],
    ['a', '2'],
  ]);
  expect(second?.[0]).toBe(first?.[0]);
});
