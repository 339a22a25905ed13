import { expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';

const describeFetched = (response: object, path = '/v1/responses/resp_1') =>
  describeExchange({
    host: 'api.openai.com',
    path,
    status: 200,
    request: null,
    response: JSON.stringify({ id: 'resp_1', object: 'response', model: 'o3', ...response }),
  });

test('a response that has ended in the background is a call', () => {
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
  expect(describeFetched({ background: true, status: 'completed', usage })).toMatchObject({
    provider: 'OpenAI',
    operation: 'chat',
    model: 'o3',
    tokens_in: 3,
    tokens_out: 4,
    response_id: 'resp_1',
    finish_reason: 'completed',
  });
});

test.each([
  ['that has not ended', { background: true, status: 'in_progress' }, undefined],
  ['that was created by a usual request', { background: false, status: 'completed' }, undefined],
  [
    'of another resource',
    { background: true, status: 'completed' },
    '/v1/responses/resp_1/input_items',
  ],
])('a response %s is no call', (_, response, path) => {
  expect(describeFetched(response, path)).toBeNull();
});
