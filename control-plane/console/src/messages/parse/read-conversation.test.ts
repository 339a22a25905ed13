import { describe, expect, test } from 'vitest';
import type { Message, Part } from './model.ts';
import { readConversation } from './read-conversation.ts';

/** A conversation in the short form `role: parts`. */
const shortOf = (value: unknown): string[] => readConversation(value, 'user').messages.map(short);
const short = ({ role, parts }: Message): string => `${role}: ${parts.map(shortPart).join(' | ')}`;

function shortPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(${part.text})`;
    case 'tool_call': {
      const { id, name, input, result } = part;
      const output = result ? ` = ${result.output.map(shortPart).join(' | ')} by ${result.by}` : '';
      return `${name}#${id}(${JSON.stringify(input)})${output}`;
    }
    case 'tool_result':
      return `#${part.id} = ${part.output.map(shortPart).join(' | ')}`;
    case 'media':
      return `[${part.type} ${part.url}]`;
    default:
      return JSON.stringify(part.value);
  }
}

const CALL = 'weather#c1({"city":"Paris"})';
const asked = ['system: Be brief', 'user: Warm?'];
const weather = [...asked, `assistant: ${CALL} = 20 by id`, 'assistant: Yes'];
const input = { city: 'Paris' };

describe('a conversation as recorded by', () => {
  test.each<[name: string, value: unknown, expected: string[]]>([
    [
      'the chat API of OpenAI',
      {
        model: 'gpt-5',
        messages: [
          { role: 'developer', content: 'Be brief' },
          { role: 'user', content: [{ type: 'text', text: 'Warm?' }] },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'weather', arguments: input } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: '20' },
          { role: 'assistant', content: 'Yes' },
        ],
      },
      weather,
    ],
    [
      'the Responses API of OpenAI',
      {
        instructions: 'Be brief',
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Warm?' }] },
          { type: 'function_call', id: 'fc', call_id: 'c1', name: 'weather', arguments: input },
          { type: 'function_call_output', call_id: 'c1', output: '20' },
          { role: 'assistant', content: [{ type: 'output_text', text: 'Yes', annotations: [] }] },
        ],
      },
      weather,
    ],
    [
      'Anthropic',
      {
        system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user', content: 'Warm?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '20' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Yes' }] },
        ],
      },
      weather,
    ],
    [
      'Gemini',
      {
        systemInstruction: { parts: [{ text: 'Be brief' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Warm?' }] },
          { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'weather', args: input } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { id: 'c1', name: 'weather', response: '20' } }],
          },
          { role: 'model', parts: [{ text: 'Yes' }] },
        ],
      },
      weather,
    ],
    [
      'Bedrock',
      {
        system: [{ text: 'Be brief' }],
        messages: [
          { role: 'user', content: [{ text: 'Warm?' }] },
          {
            role: 'assistant',
            content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input } }],
          },
          {
            role: 'user',
            content: [{ toolResult: { toolUseId: 'c1', content: [{ text: '20' }] } }],
          },
          { role: 'assistant', content: [{ text: 'Yes' }] },
        ],
      },
      weather,
    ],
    [
      'the GenAI conventions of OpenTelemetry',
      {
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief"}]',
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'Warm?' }] },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: input }],
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '20' }] },
        ]),
        'gen_ai.output.messages': [
          { role: 'assistant', parts: [{ type: 'text', content: 'Yes' }] },
        ],
      },
      weather,
    ],
    [
      'OpenInference',
      [
        { message: { role: 'system', content: 'Be brief' } },
        {
          message: {
            role: 'user',
            contents: [{ message_content: { type: 'text', text: 'Warm?' } }],
          },
        },
        {
          message: {
            role: 'assistant',
            tool_calls: [
              { tool_call: { id: 'c1', function: { name: 'weather', arguments: input } } },
            ],
          },
        },
        { message: { role: 'tool', tool_call_id: 'c1', content: '20' } },
        { message: { role: 'assistant', content: 'Yes' } },
      ],
      weather,
    ],
    [
      'LangChain, serialised',
      {
        messages: [
          [
            lc('SystemMessage', { content: 'Be brief', type: 'system' }),
            lc('HumanMessage', { content: 'Warm?' }),
            lc('AIMessage', {
              content: '',
              tool_calls: [{ id: 'c1', name: 'weather', args: input, type: 'tool_call' }],
            }),
            lc('ToolMessage', { content: '20', tool_call_id: 'c1' }),
            lc('AIMessageChunk', { content: 'Yes' }),
          ],
        ],
      },
      weather,
    ],
    [
      'LangChain, as its own dictionaries',
      [
        { type: 'system', data: { content: 'Be brief' } },
        { type: 'human', content: 'Warm?' },
        {
          type: 'ai',
          content: [{ type: 'tool_use', id: 'c1', name: 'weather', input }],
          tool_calls: [{ id: 'c1', name: 'weather', args: input, type: 'tool_call' }],
        },
        { type: 'tool', content: '20', tool_call_id: 'c1', name: 'weather' },
        { type: 'ai', content: 'Yes' },
      ],
      weather,
    ],
    [
      'the Vercel AI SDK',
      [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: [{ type: 'text', text: 'Warm?' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'weather',
              output: { type: 'text', value: '20' },
            },
          ],
        },
        { role: 'assistant', content: 'Yes' },
      ],
      weather,
    ],
    [
      "the Vercel AI SDK's user interface",
      [
        {
          id: 'm1',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            {
              type: 'tool-weather',
              toolCallId: 'c1',
              state: 'output-available',
              input,
              output: '20',
            },
            { type: 'text', text: 'Yes' },
          ],
        },
      ],
      [`assistant: {"type":"step-start"} | ${CALL} = 20 by id | Yes`],
    ],
    [
      'this control plane for OpenTelemetry, without ids of results',
      [
        {
          content: '',
          role: 'assistant',
          tool_calls: [{ id: 'c1', name: 'weather', arguments: input }],
        },
        { content: '{"c":20}', role: 'tool' },
      ],
      [`assistant: ${CALL} = {"c":20} by order`],
    ],
    [
      'ChatGPT in a browser',
      {
        messages: [{ author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } }],
      },
      ['user: Hi | {"content_type":"text"}'],
    ],
  ])('%s', (_, value, expected) => {
    expect(shortOf(value)).toEqual(expected);
    expect(shortOf(JSON.stringify(value))).toEqual(expected);
  });

  function lc(name: string, kwargs: object) {
    return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs };
  }
});

describe('a response of', () => {
  test.each<[name: string, value: unknown, expected: string[]]>([
    [
      'the chat API of OpenAI',
      { id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' } }] },
      ['assistant: Yes'],
    ],
    [
      'the Responses API of OpenAI',
      {
        id: 'resp',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
          { type: 'web_search_call', id: 'ws', action: { query: 'Paris' } },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
        ],
      },
      ['assistant: (Hm)', 'assistant: web_search#ws({"query":"Paris"})', 'assistant: Yes'],
    ],
    [
      'Anthropic',
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'text', text: 'Yes' },
        ],
      },
      ['assistant: (Hm) | Yes'],
    ],
    [
      'Gemini',
      {
        candidates: [
          { content: { role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'Yes' }] } },
        ],
      },
      ['assistant: (Hm) | Yes'],
    ],
    [
      'Bedrock',
      { output: { message: { role: 'assistant', content: [{ text: 'Yes' }] } } },
      ['assistant: Yes'],
    ],
    [
      'Ollama',
      { model: 'm', message: { role: 'assistant', content: 'Yes' }, done: true },
      ['assistant: Yes'],
    ],
    ['a tool of MCP', { content: [{ type: 'text', text: 'Yes' }] }, ['user: Yes']],
  ])('%s', (_, value, expected) => expect(shortOf(value)).toEqual(expected));
});

test('an image is shown by its address, never by its data', () => {
  const value = {
    role: 'user',
    content: [
      { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } },
    ],
  };
  expect(shortOf(value)).toEqual([
    'user: [image_url https://a.example/x.png] | [image/png null] | [image_url null] | [audio/wav null]',
  ]);
});

test.each<[name: string, value: unknown]>([
  ['a record with a role', { role: 'admin', name: 'Eve' }],
  ['a list of such records', [{ role: 'admin', name: 'Eve' }]],
  ['any object', { ticket: 4711, urgent: true }],
  ['tools offered', { tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] }],
  ['the only text of an object without a speaker', { city: 'Paris' }],
  ['a number', 7],
  ['an empty list', []],
])('%s is JSON and not a conversation', (_, value) => {
  expect(readConversation(value, null)).toEqual({ messages: [], rest: value });
});

test.each([
  ['text', 'Hi there', 'Hi there'],
  ['text that begins like JSON', '[not] JSON', '[not] JSON'],
  ['the only text of an object', { question: 'Why?' }, 'Why?'],
])('%s is one message', (_, value, text) => {
  expect(shortOf(value)).toEqual([`user: ${text}`]);
});

test('members that are not messages are kept', () => {
  const { rest } = readConversation({ model: 'm', prompt: 'Hi', stop: ['x'] }, null);
  expect(rest).toEqual({ model: 'm', stop: ['x'] });
});

test('results are matched to their calls by id, in any order, and the rest by order', () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });
  const calls = { role: 'assistant', content: [call('a'), call('b'), call('c')] };
  const results = { role: 'user', content: [result('c'), result('a'), result('unknown')] };
  expect(shortOf([calls, results])).toEqual([
    'assistant: f#a({}) = of a by id | f#b({}) | f#c({}) = of c by id',
    'user: #unknown = of unknown',
  ]);
});

test('a failed result is marked as failed', () => {
  const failed = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'no such city' };
  const [message] = readConversation({ role: 'user', content: [failed] }, null).messages;
  expect(message?.parts[0]).toMatchObject({ kind: 'tool_result', failed: true });
});

test('a single text member with an unknown name keeps the name', () => {
  const { messages } = readConversation({ ticket: 'It is broken' }, 'user');
  expect(messages).toMatchObject([
    { role: 'user', name: 'ticket', parts: [{ text: 'It is broken' }] },
  ]);
});
