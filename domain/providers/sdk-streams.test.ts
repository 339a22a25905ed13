import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinExchange } from './join-exchange.ts';

// The expected results come from the vendors' own libraries, which read the same streams.

const sample = (name: string) =>
  readFileSync(new URL(`samples/${name}.txt`, import.meta.url), 'utf8');

let responseBody = '';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.end(responseBody);
});
let baseURL = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const openAi = () => new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 });

const joined = (path: string, request: object, stream: string): unknown => {
  const { response } = joinExchange({
    host: 'gateway.example',
    path,
    requestType: 'application/json',
    responseType: 'text/event-stream',
    requestBody: JSON.stringify(request),
    responseBody: stream,
  });
  return JSON.parse(response!);
};

/** Removes nulls, additions of the library for its callers, and intentionally omitted members. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const added = new Set(['parsed', 'parsed_arguments', 'parsed_output', 'output_text', 'logprobs']);
  const members = Object.entries(value).filter(
    ([name, inner]) => inner !== null && inner !== undefined && !added.has(name),
  );
  return Object.fromEntries(members.map(([name, inner]) => [name, bare(inner)]));
}

const chat = { model: 'gpt-5-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

describe('OpenAI chat completions', () => {
  test.each(['openai-chat', 'openai-chat-tools', 'openrouter-reasoning'])('%s', async (name) => {
    responseBody = sample(name);
    const completion = await openAi()
      .chat.completions.stream({ ...chat, n: 2, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const ours = bare(joined('/v1/chat/completions', chat, responseBody)) as OpenAI.ChatCompletion;
    const theirs = bare(completion) as typeof ours;
    for (const choice of [...ours.choices, ...theirs.choices])
      // The library does not know this member, so it keeps only the last piece.
      for (const member of ['reasoning', 'reasoning_details'])
        delete (choice.message as unknown as Record<string, unknown>)[member];

    expect(ours).toEqual(theirs);
  });
});

describe('OpenAI responses', () => {
  const request = { model: 'gpt-5', input: 'Where is order 4711?' };

  test('a complete stream', async () => {
    responseBody = sample('openai-responses');
    const response = await openAi().responses.stream(request).finalResponse();
    expect(bare(joined('/v1/responses', request, responseBody))).toEqual(bare(response));
  });

  test('a last event without output, as sent to Codex: the streamed items are kept', () => {
    const stream = sample('openai-responses');
    const events = stream.split('\n\n').slice(0, -2);
    const last = JSON.parse(stream.split('\n\n').at(-2)!.split('data: ')[1]!) as {
      response: { output: unknown[] };
    };
    const { output } = last.response;
    last.response.output = [];
    const bodies = [...events, `event: response.completed\ndata: ${JSON.stringify(last)}`, ''];
    expect(joined('/responses', request, bodies.join('\n\n'))).toMatchObject({
      status: 'completed',
      output: bare(output) as unknown[],
    });
  });

  test.each([[10], [14], [15], [22], [25], [27], [30]])(
    'after %d events, like the library’s snapshot',
    async (count) => {
      const events = sample('openai-responses').split('\n\n').slice(0, count);
      responseBody = `${events.join('\n\n')}\n\n`;
      const stream = openAi().responses.stream(request);
      let snapshot: OpenAI.Responses.Response | undefined;
      for await (const event of stream) snapshot = accumulateResponse(event, snapshot);
      expect(bare(joined('/v1/responses', request, responseBody))).toEqual(bare(snapshot));
    },
  );
});

describe('Anthropic messages', () => {
  const request = { ...chat, model: 'claude-test', max_tokens: 100 };

  test('a complete stream', async () => {
    responseBody = sample('anthropic-messages');
    const message = await anthropic().messages.stream(request).finalMessage();
    expect(bare(joined('/v1/messages', request, responseBody))).toEqual(bare(message));
  });

  test('the beta API', async () => {
    const block = { type: 'compaction', content: null };
    const event = (type: string, more: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, index: 4, ...more })}\n\n`;
    const compaction = (content: string) =>
      event('content_block_delta', { delta: { type: 'compaction_delta', content } });
    responseBody = sample('anthropic-messages').replace(
      'event: message_delta',
      `${event('content_block_start', { content_block: block })}${compaction('So')}${compaction('So far')}${event('content_block_stop', {})}event: message_delta`,
    );
    const message = await anthropic().beta.messages.stream(request).finalMessage();
    expect(bare(joined('/v1/messages', request, responseBody))).toEqual(bare(message));
  });

  test.each([[3], [8], [10], [11], [12], [15]])(
    'after %d events, like the library’s snapshot',
    async (count) => {
      responseBody = `${sample('anthropic-messages').split('\n\n').slice(0, count).join('\n\n')}\n\n`;
      const stream = anthropic().messages.stream(request);
      stream.on('error', () => undefined);
      let snapshot: unknown;
      stream.on('streamEvent', (_event, message) => (snapshot = message));
      await stream.done().catch(() => undefined);
      expect(bare(joined('/v1/messages', request, responseBody))).toEqual(bare(snapshot));
    },
  );
});
