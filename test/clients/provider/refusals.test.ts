import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AWS_KEY_ID, MODEL_KEY } from '../scenario.ts';
import { type StandInProvider, startProvider } from './server.ts';

let provider: StandInProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const MODEL = 'us.anthropic.claude-sonnet-4-6';
const toolConfig = {
  tools: [{ toolSpec: { name: 'get_weather', inputSchema: { json: { type: 'object' } } } }],
};
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const use = { toolUse: { toolUseId: 'tooluse_1', name: 'get_weather', input: {} } };
const result = { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'Mild' }] } };

describe('the stand-in of Bedrock', () => {
  const converse = (body: object, secretAccessKey = MODEL_KEY, model = MODEL) =>
    new AwsClient({
      accessKeyId: AWS_KEY_ID,
      secretAccessKey,
      service: 'bedrock',
      region: 'us-east-1',
      retries: 0,
    }).fetch(`${provider.url}/model/${encodeURIComponent(model)}/converse`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  test('responds to a valid signed request', async () => {
    const response = await converse({ messages: [user({ text: 'Hi' })] });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ stopReason: 'end_turn' });
  });

  test('verifies the signature over a model with a colon', async () => {
    const body = { messages: [user({ text: 'Hi' })] };
    const model = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
    expect((await converse(body, MODEL_KEY, model)).status).toBe(200);
  });

  test('rejects another key', async () => {
    const response = await converse({ messages: [user({ text: 'Hi' })] }, 'another');
    expect(response.status).toBe(403);
    expect(response.headers.get('x-amzn-errortype')).toBe('AccessDeniedException');
  });

  test.each([
    ['a conversation that the assistant starts', { messages: [assistant({ text: 'Hi' })] }],
    ['two turns of the user', { messages: [user({ text: 'Hi' }), user({ text: 'Hi' })] }],
    ['a blank text', { messages: [user({ text: ' ' })] }],
    [
      'tools without their configuration',
      { messages: [user({ text: 'Hi' }), assistant(use), user(result)] },
    ],
    [
      'a result that no tool was asked for',
      { toolConfig, messages: [user({ text: 'Hi' }), assistant({ text: 'Hi' }), user(result)] },
    ],
    [
      'a tool without a result',
      { toolConfig, messages: [user({ text: 'Hi' }), assistant(use), user({ text: 'Well?' })] },
    ],
  ])('rejects %s', async (_what, body) => {
    const response = await converse(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-amzn-errortype')).toBe('ValidationException');
  });
});

describe('the stand-in of Vertex AI', () => {
  const PATH =
    '/v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent';
  const generate = (contents: object[], headers: Record<string, string>) =>
    fetch(provider.url + PATH, { method: 'POST', body: JSON.stringify({ contents }), headers });
  const token = { authorization: `Bearer ${MODEL_KEY}` };
  const question = { role: 'user', parts: [{ text: 'Hi' }] };
  const call = { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: {} } }] };

  test.each<[string, number, object[], Record<string, string>]>([
    ['an access token', 200, [question], token],
    ['the key of the Gemini API', 401, [question], { 'x-goog-api-key': MODEL_KEY }],
    ['contents without a role', 400, [{ parts: question.parts }], token],
    ['a call without its response', 400, [question, call, question], token],
  ])('%s: %d', async (_what, status, contents, headers) => {
    expect((await generate(contents, headers)).status).toBe(status);
  });
});

test.each([
  [undefined, 0],
  [{ include_usage: true }, 1],
])('an OpenAI stream with %j contains the usage %d times', async (stream_options, times) => {
  const response = await fetch(`${provider.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({
      model: 'gpt-4o',
      stream: true,
      stream_options,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });
  const text = await response.text();
  expect(text).toContain('[DONE]');
  expect(text.match(/"usage":\{/g) ?? []).toHaveLength(times);
});
