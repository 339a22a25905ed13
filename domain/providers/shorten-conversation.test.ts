import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';
import { shortenConversation } from './shorten-conversation.ts';

const message = (role: string, content: string) => ({ role, content });
/** A conversation with 20 messages of at least 1,000 characters, and what follows them. */
const long = (name: string, rest: object = {}) => ({
  model: 'm',
  [name]: Array.from({ length: 20 }, (_, n) =>
    message(n % 2 ? 'assistant' : 'user', `${n} ${'x'.repeat(1000)}`),
  ),
  ...rest,
});
const shortened = (request: object, maxLength = 5000) => {
  const text = shortenConversation(JSON.stringify(request), maxLength);
  expect(text.length).toBeLessThanOrEqual(maxLength);
  return JSON.parse(text) as Record<string, unknown>;
};
const beginnings = (messages: unknown): string[] =>
  (messages as ({ content: string } | string)[]).map((one) =>
    typeof one === 'string' ? one : (one.content.split(' ')[0] ?? ''),
  );

describe('a request that is too long', () => {
  test.each(['messages', 'input', 'inputs', 'contents', 'chat_history', 'items'])(
    'loses the oldest messages of its member `%s`',
    (name) => {
      const rest = { tools: [{ name: 'Bash' }], metadata: { user_id: 'session_1' } };
      const { [name]: messages, ...others } = shortened(long(name, rest));
      expect(beginnings(messages)).toEqual(['[16 messages, not uploaded]', '16', '17', '18', '19']);
      expect(others).toEqual({ model: 'm', ...rest });
    },
  );

  test('loses those of a nested request', () => {
    const { request } = shortened({ project: 'p', request: long('contents') });
    expect(beginnings((request as { contents: unknown }).contents)).toHaveLength(5);
  });

  test('keeps instructions, and the last user message before many results of tools', () => {
    const results = Array.from({ length: 9 }, (_, n) =>
      message('tool', `r${n} ${'x'.repeat(900)}`),
    );
    const messages = [
      message('system', 'rules'),
      message('developer', 'more rules'),
      message('user', 'first'),
      message('user', 'the question'),
      ...results,
    ];
    expect(beginnings(shortened({ messages }, 3000)['messages'])).toEqual([
      'rules',
      'more',
      '[1 message, not uploaded]',
      'the',
      '[7 messages, not uploaded]',
      'r7',
      'r8',
    ]);
  });

  test('keeps numbers and spaces as they were', () => {
    const rest = ' , "seed": 12345678901234567890, "top_p": 1.0 }';
    const text = JSON.stringify(long('messages')).slice(0, -1) + rest;
    expect(shortenConversation(text, 5000).endsWith(`]${rest}`)).toBe(true);
  });

  test('is described like the whole request', () => {
    const request = long('messages', { metadata: { user_id: 'ada', session_id: 's1' } });
    const describe = (text: string) =>
      describeExchange({
        host: 'api.anthropic.com',
        path: '/v1/messages',
        status: 200,
        request: text,
        response: '{"type":"message","content":[{"type":"text","text":"yes"}]}',
      });
    const whole = JSON.stringify(request);
    const described = describe(shortenConversation(whole, 5000));
    expect(described).toMatchObject({ conversation_id: 's1', user: 'ada' });
    expect(described?.prompt?.slice(0, 3)).toBe('18 ');
    expect(described).toEqual(describe(whole));
  });
});

test.each([
  ['is short enough', JSON.stringify(long('messages')), 1e6],
  ['is no JSON', JSON.stringify(long('messages')).slice(0, -1), 100],
  ['has no conversation', JSON.stringify({ prompt: 'x'.repeat(200) }), 100],
  ['has its messages in a list of lists', JSON.stringify([long('messages')]), 100],
])('a text that %s does not change', (_, text, maxLength) => {
  expect(shortenConversation(text, maxLength)).toBe(text);
});

const value = fc.jsonValue({ maxDepth: 2 });
test('any request stays JSON, with its last messages', () => {
  const requests = fc.record({ before: value, messages: fc.array(value), after: value });
  fc.assert(
    fc.property(
      requests,
      fc.nat(400),
      fc.constantFrom(undefined, 2),
      (request, maxLength, indent) => {
        const text = JSON.stringify(request, null, indent);
        const { messages, ...rest } = JSON.parse(
          shortenConversation(text, maxLength),
        ) as typeof request;
        const { messages: all, ...others } = JSON.parse(text) as typeof request;
        expect(rest).toEqual(others);
        expect(messages.at(-1)).toEqual(all.at(-1));
        expect(messages.length).toBeLessThanOrEqual(all.length + 1);
      },
    ),
  );
});
