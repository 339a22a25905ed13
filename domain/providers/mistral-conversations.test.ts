import { describe, expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';
import { exchangeWith, processExchange } from './testing/streamed-exchange.ts';

const request = {
  model: 'mistral-medium-latest',
  inputs: [
    { role: 'user', content: 'Where is order 4711?' },
    { type: 'function.result', tool_call_id: 'c0', result: '{}' },
  ],
  tools: [{ type: 'function', function: { name: 'lookup' } }, { type: 'web_search' }],
  stream: true,
};

const described = exchangeWith({
  provider: 'Mistral',
  operation: 'chat',
  model: 'mistral-medium-2505',
  tokens_in: 7300,
  tokens_out: 55,
  prompt: 'Where is order 4711?',
  completion: 'Order 4711 is late.',
  tools_offered: ['lookup', 'web_search'],
  tools_called: [{ name: 'lookup', arguments: '{"order":4711}', id: 'c1' }],
  conversation_id: 'conv_1',
});

const usage = {
  prompt_tokens: 188,
  completion_tokens: 55,
  total_tokens: 7355,
  connector_tokens: 7112,
};

const message = (content: unknown) => ({
  type: 'message.output.delta',
  output_index: 0,
  id: 'msg_1',
  content_index: 0,
  model: 'mistral-medium-2505',
  role: 'assistant',
  content,
});
const call = (args: string) => ({
  type: 'function.call.delta',
  output_index: 1,
  id: 'fc_1',
  name: 'lookup',
  tool_call_id: 'c1',
  arguments: args,
});
const done = { type: 'conversation.response.done', usage };
const started = { type: 'conversation.response.started', conversation_id: 'conv_1' };

const processed = (path: string, events: readonly { type: string }[]) =>
  processExchange({
    host: 'api.mistral.ai',
    path,
    request,
    type: 'text/event-stream',
    response: events
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  });

describe('Mistral’s conversations', () => {
  test.each(['/v1/conversations', '/v1/conversations/conv_1', '/v1/conversations/conv_1/restart'])(
    '%s, streamed and whole',
    (path) => {
      const streamed = processed(path, [
        started,
        message('Order 47'),
        message({ type: 'text', text: '11 is' }),
        message(' late.'),
        call('{"order"'),
        call(':4711}'),
        done,
      ]);
      expect(streamed).toMatchObject({ api: 'mistral-conversations', described });
      const whole = JSON.stringify(streamed.responseJson);
      const exchange = { host: 'api.mistral.ai', path, request: JSON.stringify(request) };
      expect(describeExchange({ ...exchange, response: whole, status: 200 })).toEqual(described);
    },
  );

  test('an error in the stream', () => {
    const failed = { type: 'conversation.response.error', message: 'Overloaded', code: 3500 };
    const { described: call } = processed('/v1/conversations', [started, message('Ord'), failed]);
    expect(call).toMatchObject({ completion: 'Ord', error: 'Overloaded' });
  });

  test.each(['/v1/conversations/conv_1/history', '/v1/conversations/conv_1'])(
    'to read %s is no call',
    (path) => {
      const response = JSON.stringify({ object: 'conversation', id: 'conv_1' });
      const exchange = { host: 'api.mistral.ai', path, request: null, response, status: 200 };
      expect(describeExchange(exchange)).toBeNull();
    },
  );
});
