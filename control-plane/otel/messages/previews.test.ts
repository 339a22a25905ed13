import { describe, expect, test } from 'vitest';
import type { Attributes } from '../attributes.ts';
import type { SpanEvent } from '../span.ts';
import { preview } from './chat-message.ts';
import { promptOf } from './prompt.ts';
import { responseOf } from './response.ts';

const prompt = (attributes: Attributes, events: SpanEvent[] = []) =>
  preview(promptOf({ attributes, events }), 'user');
const response = (attributes: Attributes, events: SpanEvent[] = []) =>
  preview(responseOf({ attributes, events }), 'assistant');
const event = (name: string, attributes: Attributes): SpanEvent => ({ name, at: 0, attributes });

const CHAT = '[{"content":"Be brief","role":"system"},{"content":"Hi","role":"user"}]';
const messages = [
  { role: 'system', content: 'Be brief' },
  { role: 'user', content: 'Hi' },
];
const parts = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

describe('a prompt from', () => {
  test.each<[string, Attributes, SpanEvent[]?]>([
    [
      'the conventions, with instructions',
      {
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
        'gen_ai.input.messages': JSON.stringify([parts('user', 'Hi')]),
      },
    ],
    [
      'the conventions, with instructions that are among the messages too',
      {
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
        'gen_ai.input.messages': [parts('system', 'Be brief'), parts('user', 'Hi')],
      },
    ],
    [
      'the conventions, as values rather than as their text',
      { 'gen_ai.input.messages': [parts('system', 'Be brief'), parts('user', 'Hi')] },
    ],
    [
      'the event of the details',
      {},
      [
        event('gen_ai.client.inference.operation.details', {
          'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
          'gen_ai.input.messages': JSON.stringify([parts('user', 'Hi')]),
        }),
      ],
    ],
    [
      'the span and the event of the details',
      { 'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]' },
      [
        event('gen_ai.client.inference.operation.details', {
          'gen_ai.input.messages': [parts('user', 'Hi')],
        }),
      ],
    ],
    [
      'events of messages',
      {},
      [
        event('gen_ai.system.message', { content: 'Be brief', 'gen_ai.system': 'openai' }),
        event('gen_ai.user.message', { content: 'Hi' }),
        event('gen_ai.choice', { content: 'no part of it' }),
      ],
    ],
    [
      'events with a body',
      {},
      [
        event('gen_ai.system.message', { 'gen_ai.event.content': '{"content":"Be brief"}' }),
        event('gen_ai.user.message', { 'gen_ai.event.content': '{"role":"user","content":"Hi"}' }),
      ],
    ],
    [
      'the event of the content',
      {},
      [event('gen_ai.content.prompt', { 'gen_ai.prompt': JSON.stringify(messages) })],
    ],
    ['one attribute', { 'gen_ai.prompt': JSON.stringify(messages) }],
    [
      'OpenLLMetry, flattened',
      {
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': 'Hi',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief',
      },
    ],
    [
      'OpenInference',
      {
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be brief',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'text',
        'llm.input_messages.1.message.contents.0.message_content.text': 'Hi',
        'input.value': 'the same once more',
      },
    ],
    [
      'the Vercel AI SDK, inner span',
      {
        'ai.prompt.messages':
          '[{"role":"system","content":"Be brief"},{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
      },
    ],
    ['the Vercel AI SDK, outer span', { 'ai.prompt': '{"system":"Be brief","prompt":"Hi"}' }],
    [
      'the body of a request to OpenAI',
      { 'input.value': JSON.stringify({ model: 'm', messages }) },
    ],
    [
      'the body of a request to Anthropic',
      {
        'input.value':
          '{"system":[{"type":"text","text":"Be brief"}],"messages":[{"role":"user","content":"Hi"}]}',
      },
    ],
    ['Pydantic AI', { 'pydantic_ai.all_messages': JSON.stringify(messages.map((m) => m)) }],
  ])('%s is the chat', (_name, attributes, events) => {
    expect(prompt(attributes, events)).toBe(CHAT);
  });

  test.each<[string, Attributes, string]>([
    ['one message of a user', { 'gen_ai.input.messages': [parts('user', 'Hi')] }, 'Hi'],
    ['text', { 'input.value': 'Hi' }, 'Hi'],
    ['text of OpenLLMetry', { 'traceloop.entity.input': 'Hi' }, 'Hi'],
    ['MLflow', { 'mlflow.spanInputs': '{"prompt":"Hi"}' }, 'Hi'],
    ['LiveKit', { 'lk.input_text': 'Hi' }, 'Hi'],
    ['text that happens to be JSON', { 'gen_ai.prompt.0.content': '{"a": 1}' }, '{"a": 1}'],
    ['parts in text', { 'gen_ai.prompt.0.content': '[{"type":"text","text":"Hi"}]' }, 'Hi'],
    ['an object without messages', { 'input.value': '{"topic":"x"}' }, '{"topic":"x"}'],
    ['nothing', { 'gen_ai.input.messages': '[]' }, ''],
    ['text that only looks like JSON', { 'gen_ai.input.messages': '[{' }, ''],
    [
      'values to embed',
      { 'ai.values': ['a', 'b'] },
      '[{"content":"a","role":"user"},{"content":"b","role":"user"}]',
    ],
    [
      'a picture',
      {
        'gen_ai.input.messages': [
          {
            role: 'user',
            parts: [
              { type: 'text', content: 'What is it?' },
              { type: 'uri', uri: 'https://x.test/a.png', mime_type: 'image/png' },
              { type: 'blob', content: 'aGk=', mime_type: 'image/png' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            ],
          },
        ],
      },
      'What is it?\n[uri https://x.test/a.png]\n[blob image/png]\n[image_url]',
    ],
    [
      'the answer of a tool',
      {
        'gen_ai.input.messages': [
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: { c: 20 } }] },
        ],
      },
      '[{"content":"{\\"c\\":20}","role":"tool"}]',
    ],
  ])('%s', (_name, attributes, expected) => {
    expect(prompt(attributes)).toBe(expected);
  });
});

describe('a response from', () => {
  test.each<[string, Attributes, SpanEvent[]?]>([
    ['the conventions', { 'gen_ai.output.messages': [parts('assistant', 'Hello')] }],
    [
      'the event of the details',
      {},
      [
        event('gen_ai.client.inference.operation.details', {
          'gen_ai.output.messages': [parts('assistant', 'Hello')],
        }),
      ],
    ],
    ['an event', {}, [event('gen_ai.choice', { content: 'Hello', index: 0 })]],
    ['an event with a message', {}, [event('gen_ai.choice', { message: '{"content":"Hello"}' })]],
    [
      'an event with a body',
      {},
      [
        event('gen_ai.choice', {
          'gen_ai.event.content': '{"message":{"role":"assistant","content":"Hello"}}',
        }),
      ],
    ],
    ['its own event', {}, [event('gen_ai.content.completion', { 'gen_ai.completion': 'Hello' })]],
    [
      'OpenLLMetry',
      { 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'Hello' },
    ],
    ['OpenInference', { 'llm.output_messages.0.message.content': 'Hello' }],
    [
      'Gemini in OpenInference',
      {
        'llm.output_messages.0.message.role': 'model',
        'llm.output_messages.0.message.content': 'Hello',
      },
    ],
    ['the Vercel AI SDK', { 'ai.response.text': 'Hello' }],
    [
      'a body of OpenAI',
      { 'output.value': '{"choices":[{"message":{"role":"assistant","content":"Hello"}}]}' },
    ],
    [
      'a body of Anthropic',
      { 'output.value': '{"role":"assistant","content":[{"type":"text","text":"Hello"}]}' },
    ],
    ['text', { 'output.value': 'Hello' }],
    ['text of OpenLLMetry', { 'traceloop.entity.output': 'Hello' }],
    ['MLflow', { 'mlflow.spanOutputs': '"Hello"' }],
    ['LiveKit', { 'lk.response.text': 'Hello' }],
  ])('%s is its text', (_name, attributes, events) => {
    expect(response(attributes, events)).toBe('Hello');
  });

  const CALL =
    '[{"content":"","role":"assistant","tool_calls":[{"id":"c1","name":"weather","arguments":{"city":"Paris"}}]}]';
  test.each<[string, Attributes]>([
    [
      'the conventions',
      {
        'gen_ai.output.messages': [
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
          },
        ],
      },
    ],
    [
      'OpenInference',
      {
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments':
          '{"city":"Paris"}',
      },
    ],
    [
      'OpenLLMetry',
      {
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.tool_calls.0.id': 'c1',
        'gen_ai.completion.0.tool_calls.0.name': 'weather',
        'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Paris"}',
      },
    ],
    [
      'the Vercel AI SDK',
      {
        'ai.response.toolCalls':
          '[{"toolCallId":"c1","toolName":"weather","input":"{\\"city\\":\\"Paris\\"}"}]',
      },
    ],
    [
      'Anthropic',
      {
        'output.value':
          '{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"weather","input":{"city":"Paris"}}]}',
      },
    ],
  ])('%s keeps tool calls', (_name, attributes) => {
    expect(response(attributes)).toBe(CALL);
  });

  test('reasoning is separate from the content', () => {
    const attributes = {
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'Hm' },
            { type: 'text', content: 'Hello' },
          ],
        },
      ],
    };
    expect(response(attributes)).toBe('[{"content":"Hello","reasoning":"Hm","role":"assistant"}]');
  });
});

test('texts are truncated and made storable', () => {
  expect(prompt({ 'input.value': 'x'.repeat(1_200_000) })).toHaveLength(1_000_000);
  expect(prompt({ 'input.value': '["a\\u0000b\\ud800"]' })).toBe('ab\ufffd');
});
