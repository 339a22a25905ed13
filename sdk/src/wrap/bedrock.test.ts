import { createServer, type Http2Server, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type LocalServer,
  observerOf,
  startLocalServer,
  type TestObserver,
} from '#test/sdk/local-server.ts';
import { wrapBedrock } from './bedrock.ts';

let server: LocalServer;
/** An HTTP/2 server, because the client uses HTTP/2. */
let bedrock: Http2Server;
let behave: (response: Http2ServerResponse) => void;
let observed: TestObserver;
beforeEach(async () => {
  server = await startLocalServer();
  observed = observerOf(server, { captureContent: true });
  bedrock = createServer((_request, response) => {
    response.setHeader('x-amzn-requestid', 'req-1');
    behave(response);
  });
  await new Promise<void>((resolve) => bedrock.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await observed.observer.shutdown();
  await server.goAway();
  runtime.destroy();
  await new Promise<void>((resolve) => bedrock.close(() => resolve()));
});

let runtime: BedrockRuntimeClient;

const client = (): BedrockRuntimeClient =>
  (runtime = wrapBedrock(
    new BedrockRuntimeClient({
      region: 'eu-west-1',
      endpoint: `http://127.0.0.1:${(bedrock.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      maxAttempts: 1,
    }),
    { observer: observed.observer },
  ));

const input = {
  modelId: 'eu.anthropic.claude-sonnet-4-6-v1:0',
  messages: [{ role: 'user' as const, content: [{ text: 'hello' }] }],
};
const usage = {
  inputTokens: 3,
  outputTokens: 5,
  totalTokens: 10,
  cacheReadInputTokens: 2,
  cacheWriteInputTokens: 1,
};
const recorded = {
  model: input.modelId,
  provider: 'aws',
  response_id: 'req-1',
  tokens_in: 6,
  tokens_out: 5,
  cache_read_tokens: 2,
  cache_write_tokens: 1,
  finish_reason: 'tool_use',
  tool_calls: [{ id: 't1', name: 'weather', arguments: { city: 'Rome' } }],
  prompt_preview: JSON.stringify(input.messages),
  response_preview: 'one two',
};

/** The arrived records of one type. */
async function arrived(kind: 'calls' | 'spans'): Promise<object[]> {
  await observed.observer.flush();
  return server.accepted.flatMap(({ body }) => (body[kind] ?? []) as object[]);
}

test('Converse returns the same response, and the call is recorded', async () => {
  const toolUse = { toolUseId: 't1', name: 'weather', input: { city: 'Rome' } };
  const content = [{ text: 'one two' }, { toolUse }];
  const output = { message: { role: 'assistant', content } };
  behave = (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ output, stopReason: 'tool_use', usage }));
  };
  const answer = await client().send(new ConverseCommand(input));
  expect(answer.output?.message?.content).toEqual(content);
  expect(await arrived('calls')).toMatchObject([recorded]);
});

test('ConverseStream is recorded when its events have been read', async () => {
  const codec = new EventStreamCodec(toUtf8, fromUtf8);
  const events: [string, object][] = [
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'one ' } }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'two' } }],
    [
      'contentBlockStart',
      { contentBlockIndex: 1, start: { toolUse: { toolUseId: 't1', name: 'weather' } } },
    ],
    ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":' } } }],
    ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '"Rome"}' } } }],
    ['messageStop', { stopReason: 'tool_use' }],
    ['metadata', { usage, metrics: { latencyMs: 5 } }],
  ];
  behave = (response) => {
    response.setHeader('content-type', 'application/vnd.amazon.eventstream');
    for (const [type, body] of events)
      response.write(
        codec.encode({
          headers: {
            ':message-type': { type: 'string', value: 'event' },
            ':event-type': { type: 'string', value: type },
            ':content-type': { type: 'string', value: 'application/json' },
          },
          body: fromUtf8(JSON.stringify(body)),
        }),
      );
    response.end();
  };
  const { stream } = await client().send(new ConverseStreamCommand(input));
  let text = '';
  for await (const event of stream ?? []) text += event.contentBlockDelta?.delta?.text ?? '';
  expect(text).toBe('one two');
  expect(await arrived('calls')).toMatchObject([
    { ...recorded, time_to_first_token_ms: expect.any(Number) },
  ]);
});

test('errors do not change, and are recorded as failed calls', async () => {
  behave = (response) => {
    response.writeHead(429, {
      'content-type': 'application/json',
      'x-amzn-errortype': 'ThrottlingException',
    });
    response.end('{"message":"Too many tokens"}');
  };
  await expect(client().send(new ConverseCommand(input))).rejects.toThrow('Too many tokens');
  expect(await arrived('calls')).toEqual([]);
  expect(await arrived('spans')).toMatchObject([
    { status: 'error', attributes: { error: 'ThrottlingException: Too many tokens' } },
  ]);
});
