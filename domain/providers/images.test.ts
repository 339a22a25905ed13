import { expect, test } from 'vitest';
import { exchangeWith, processExchange } from './testing/streamed-exchange.ts';

const openAi = { host: 'api.openai.com', path: '/v1/images/generations' };
const request = { model: 'gpt-image-1', prompt: 'A gate in the fog', size: '1024x1024' };
const usage = {
  input_tokens: 12,
  output_tokens: 4160,
  total_tokens: 4172,
  input_tokens_details: { text_tokens: 12, image_tokens: 0 },
};
const described = { provider: 'OpenAI', operation: 'other', model: 'gpt-image-1' } as const;
const tokens = { tokens_in: 12, tokens_out: 4160 };

test('an image by OpenAI', () => {
  const response = { created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }], usage };
  const type = 'application/json';
  const result = processExchange({ ...openAi, request, type, response: JSON.stringify(response) });
  expect(result.api).toBe('images');
  expect(result.described).toEqual(
    exchangeWith({ ...described, ...tokens, prompt: 'A gate in the fog' }),
  );
});

test('the last event of a stream contains the image and the usage', () => {
  const events = [
    { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 },
    { type: 'image_generation.completed', b64_json: 'BBBB', usage },
  ];
  const response = events.map(
    (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  const type = 'text/event-stream';
  const result = processExchange({ ...openAi, request, type, response: response.join('') });
  expect(result.responseJson).toEqual(events[1]);
  expect(result.described).toEqual(
    exchangeWith({ ...described, ...tokens, prompt: 'A gate in the fog' }),
  );
});

test('the prompts that a model revised are its text', () => {
  const data = [{ url: 'https://x.example/1.png', revised_prompt: 'A wooden gate' }];
  const result = processExchange({
    host: 'api.x.ai',
    path: '/v1/images/generations/',
    request: { model: 'grok-2-image', prompt: 'A gate' },
    type: 'application/json',
    response: JSON.stringify({ data }),
  });
  expect(result.described).toMatchObject({
    provider: 'xAI',
    model: 'grok-2-image',
    completion: 'A wooden gate',
  });
});

test("Google's Imagen", () => {
  const result = processExchange({
    host: 'generativelanguage.googleapis.com',
    path: '/v1beta/models/imagen-4.0-generate-001:predict',
    request: { instances: [{ prompt: 'A gate' }], parameters: { sampleCount: 1 } },
    type: 'application/json',
    response: JSON.stringify({
      predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AA==' }],
    }),
  });
  expect(result.described).toMatchObject({
    operation: 'other',
    model: 'imagen-4.0-generate-001',
    prompt: 'A gate',
  });
});
