import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const SSE = 'text/event-stream';

describe('Anthropic messages', () => {
  const anthropic = {
    host: 'api.anthropic.com',
    path: '/v1/messages',
    request: {
      model: 'claude-sonnet-4-5',
      system: 'Be kind.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        { role: 'assistant', content: 'One moment.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Rain' }] },
      ],
      tools: [{ name: 'get_weather' }, { type: 'web_search_20250305', name: 'web_search' }],
      metadata: { user_id: 'user_4f_account_a1_session_51c0-7' },
    },
    type: SSE,
    response: sampleText('anthropic-messages.txt'),
  };

  test('a stream', () => {
    expect(processExchange(anthropic).described).toEqual(
      exchangeWith({
        provider: 'Anthropic',
        operation: 'chat',
        model: 'claude-sonnet-4-5-20250929',
        tokens_in: 4312,
        tokens_out: 89,
        tokens_cached: 4000,
        tokens_cache_written: 300,
        tokens_reasoning: 21,
        prompt: 'Weather?',
        completion: 'Per the docs, card 4111 1111 1111 1111 is a test.',
        tools_offered: ['get_weather', 'web_search'],
        tools_called: [
          {
            name: 'get_weather',
            arguments: '{"location":"San Francisco","days":[1,2]}',
            id: 'toolu_01',
          },
          { name: 'now', arguments: '{}', id: 'toolu_02' },
        ],
        finish_reason: 'tool_use',
        response_id: 'msg_01',
        conversation_id: '51c0-7',
        user: 'user_4f_account_a1',
      }),
    );
  });

  test('an error ends a stream', () => {
    const { described } = processExchange({
      ...anthropic,
      response: sampleText('anthropic-error.txt'),
    });
    expect(described).toMatchObject({
      error: 'Overloaded',
      completion: 'Per the docs, card 4111 1111 1111 ',
      tokens_in: 4312,
    });
  });

  test('a truncated tool input is kept up to the cut', () => {
    const response = anthropic.response.split('\n\n').slice(0, 16).join('\n\n');
    expect(processExchange({ ...anthropic, response }).described!.tools_called).toEqual([
      { name: 'get_weather', arguments: '{"location":"San"}', id: 'toolu_01' },
    ]);
  });

  test('newer user ids of Claude Code are parsed', () => {
    const userId = JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: 's' });
    const request = { ...anthropic.request, metadata: { user_id: userId } };
    expect(processExchange({ ...anthropic, request }).described).toMatchObject({
      user: 'a',
      conversation_id: 's',
    });
  });

  test.each([
    ['api.githubcopilot.com', '/v1/messages', 'GitHub'],
    ['acme.services.ai.azure.com', '/anthropic/v1/messages', 'Microsoft'],
    [
      'us-east5-aiplatform.googleapis.com',
      '/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
      'Google',
    ],
    ['llm.corp.example', '/claude', 'Anthropic'],
  ])('at %s%s', (host, path, provider) => {
    expect(processExchange({ ...anthropic, host, path }).described).toMatchObject({
      provider,
      tokens_out: 89,
    });
  });
});
