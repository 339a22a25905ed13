import { describe, expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { redactText } from './redact-text.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64Bytes = (before: string, byte: number, after: string): string =>
  Buffer.concat([Buffer.from(before), Buffer.of(byte), Buffer.from(after)]).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

test.each([
  [`kubectl: ${base64('login jane.doe@example.com please')}`, 'kubectl: ##EMAIL##'],
  [base64url('DB_PASSWORD=hunter2-and-more'), '##PASSWORD##'],
  [`data: ${base64('user=ü password=hunter22 and so on')} end`, 'data: ##PASSWORD## end'],
  [`/files/${base64url('{"email":"jane.doe@example.com"}')}/raw`, '/files/##EMAIL##/raw'],
  [base64('??? login jane.doe@example.com'), '##EMAIL##'],
  ...['', '!', '!!'].map((end) => [
    base64(`pay with 4111 1111 1111 1111${end}`),
    '##CREDIT_CARD##',
  ]),
  ...['a', 'ab', 'abc'].map((start) => [
    base64(`${start} pays with 4111111111111111`),
    '##CREDIT_CARD##',
  ]),
  ['https://x.example/?to=jane.doe%40example.com&b=1', 'https://x.example/?to=##EMAIL##&b=1'],
  ['next=postgres%3A%2F%2Fapp%3As3cret%40db%2Fapp', 'next=##URL_CREDENTIALS##'],
])('%s is decoded and redacted', (text, expected) => {
  expect(redactText(text, builtinDetectors()).text).toBe(expected);
});

test.each([
  base64('nothing to see in this sentence'),
  base64(base64('login jane.doe@example.com please')),
  Buffer.from(Array.from({ length: 60 }, (_, i) => (i * 37) % 256)).toString('base64'),
  '100%25 of users%2Fmonth',
  '%E0%A4%A is no escape',
])('%s is unchanged', (text) => {
  expect(redactText(text, builtinDetectors())).toEqual({ text, counts: {} });
});

describe('text of any length is decoded', () => {
  const filler = 'word ünd mehr, ';
  const email = 'jane.doe@example.com';
  const url = (text: string): string => encodeURIComponent(text);

  test.each([
    ['base64', base64(`${filler.repeat(9000)} ${email} and so on`)],
    ['base64 with a byte that is no text', base64Bytes(filler.repeat(9000), 0xff, ` ${email} .`)],
    ['URL escapes at the end', url(`${filler.repeat(9000)} ${email} and so on`)],
    ...[0, 1, 2, 3, 4, 5].map((shift): [string, string] => [
      `URL escapes at the beginning, shifted by ${shift}`,
      url(`${'x'.repeat(shift)} ${email} ${filler.repeat(9000)}`),
    ]),
    ['an escape that is no UTF-8', `${url(filler)}%FF${url(`${filler} ${email} ${filler}`)}`],
    ['an incomplete escape', `${url(`${filler} ${email} ${filler}`)}%E0%A4%`],
  ])('%s', (_name, text) => {
    expect(redactText(text, builtinDetectors()).text).toBe('##EMAIL##');
  });
});
