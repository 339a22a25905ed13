import { expect, test } from 'vitest';
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

/** The beginning of a body with the text up to the cut, as the text of a prompt. */
const requestUpTo = (text: string): string =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text }] }).slice(0, -4);

/** A stream of pieces of nine characters, which its client gave up. */
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

/** Nine tenths of the secret: a text that is cut there does not show what it is. */
const nineTenths = ({ secret }: Positive): string =>
  secret.slice(0, Math.ceil(secret.length * 0.9));

// Names and addresses are recognized by the member that they are the value of.
const inProse = [...positives(randomOf(7))].filter(
  ({ text, recognized, secret }) => recognized === 'by format' && text.includes(secret),
);

test.each([
  ['a cut within a secret', nineTenths],
  ['a cut right after a secret', ({ secret }: Positive) => secret],
])('%s leaves nothing of it', async (_, kept) => {
  const leaked: string[] = [];
  for (const positive of inProse) {
    const { text, secret } = positive;
    const cut = text.slice(0, text.indexOf(secret)) + kept(positive);
    const report = await buildRedactedReport(
      exchangeOf(requestUpTo(cut), streamUpTo(cut)),
      facts,
      redactor,
    );
    expect(report.model).toBe('gpt-4o');
    const escaped = JSON.stringify(kept(positive)).slice(1, -1);
    for (const body of [report.request_body, report.response_body])
      if (body?.includes(escaped)) leaked.push(`${positive.type}: ${body.slice(-80)}`);
  }
  expect(leaked).toEqual([]);
});
