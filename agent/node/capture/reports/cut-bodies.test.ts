import { describe, expect, test } from 'vitest';
import { type Positive, positives } from '#domain/redaction/testing/positives.ts';
import { randomOf } from '#domain/redaction/testing/random.ts';
import type { ObservedBody } from '#agent/core/capture/wire/exchange.ts';
import { buildRedactedReport, type ExchangeCopy } from './exchange-report.ts';
import { createRedactor, noTenantRules } from './redactor.ts';

const facts = {
  id: 'cap_1',
  host: 'api.openai.com',
  app_id: null,
  process: 'curl',
  user: 'ada',
};
const redactor = createRedactor(noTenantRules);

const bodyOf = (text: string, type: string, complete: boolean): ObservedBody => ({
  headers: [['content-type', type]],
  beginning: [Buffer.from(text)],
  bytes: Buffer.byteLength(text),
  truncated: false,
  complete,
});

const exchangeOf = (request: string, response: string): ExchangeCopy => ({
  id: 1,
  protocol: 'http/1.1',
  method: 'POST',
  target: '/v1/chat/completions',
  authority: 'api.openai.com',
  startedAt: 1,
  endedAt: 2,
  request: bodyOf(request, 'application/json', false),
  status: 200,
  response: bodyOf(response, 'text/event-stream', false),
  aborted: true,
  webSocket: null,
});

type Encode = (text: string) => string;

const escaped: Encode = (text) => JSON.stringify(text).slice(1, -1);
/** Escapes text further, as PHP and Gson do. */
const escapedFurther: Encode = (text) =>
  escaped(text)
    .replaceAll('/', '\\/')
    .replaceAll(/[=&+<>]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the beginning of a body up to the cut, with the text as a prompt. */
const requestUpTo = (text: string, encode: Encode): string =>
  `{"model":"gpt-4o","messages":[{"role":"user","content":"${encode(text)}`;

/** Returns a stream in pieces of nine characters that its client aborted. */
const streamUpTo = (text: string): string =>
  (text.match(/.{1,9}/gsu) ?? [])
    .map((content) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      model: 'gpt-4o',
      choices: [{ index: 0, delta: { content } }],
    }))
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');

/** Returns nine tenths of the secret: a text cut at that point is not recognizable as a secret. */
const nineTenths = ({ secret }: Positive): string =>
  secret.slice(0, Math.ceil(secret.length * 0.9));

// Only secrets in prose: names and addresses are recognized only by their JSON member.
const inProse = [...positives(randomOf(7))].filter(
  ({ text, recognized, secret }) => recognized === 'by format' && text.includes(secret),
);

describe.each([
  ['a cut within a secret', nineTenths],
  ['a cut right after a secret', ({ secret }: Positive) => secret],
])('%s leaks nothing of the secret', (_, kept) => {
  test.each([
    ['in JSON', escaped],
    ['in JSON with more escapes', escapedFurther],
  ])('%s', async (_name, encode) => {
    const leaked: string[] = [];
    for (const positive of inProse) {
      const { text, secret } = positive;
      const cut = text.slice(0, text.indexOf(secret)) + kept(positive);
      const exchange = exchangeOf(requestUpTo(cut, encode), streamUpTo(cut));
      const report = await buildRedactedReport(exchange, facts, redactor);
      expect(report.model).toBe('gpt-4o');
      if (report.request_body?.includes(encode(kept(positive)))) leaked.push(report.request_body);
      if (report.response_body?.includes(escaped(kept(positive))))
        leaked.push(report.response_body);
    }
    expect(leaked).toEqual([]);
  });
});

const PROMPT = 'my key is sk-proj-A1b2C3';

test('a truncated message of a WebSocket loses its cut word', async () => {
  const bytes = Buffer.from(PROMPT);
  const at = 1;
  const message = { from: 'client', opcode: 'text', compressed: false, bytes, at } as const;
  const cut = { ...message, size: 1000, truncated: true };
  const { request_body } = await buildRedactedReport(
    { ...exchangeOf('', ''), webSocket: { piece: 0, last: true, messages: [cut] } },
    facts,
    redactor,
  );
  expect(request_body).toBe('"my key is "');
});

test('a stream without a length that ends with its connection loses its cut word', async () => {
  const exchange = exchangeOf('{}', streamUpTo(PROMPT));
  const response = { ...(exchange.response as ObservedBody), complete: true };
  const report = await buildRedactedReport({ ...exchange, response }, facts, redactor);
  expect(report.response_body).toContain('"my key is "');
});

test('a complete stream loses nothing, even if its connection broke off', async () => {
  const stream = `${streamUpTo('all of it is here')}data: [DONE]\n\n`;
  const report = await buildRedactedReport(exchangeOf('{}', stream), facts, redactor);
  expect(report.response_body).toContain('"all of it is here"');
});
