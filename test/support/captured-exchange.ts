import { captureOf } from './device-reports.ts';

/** An id in OpenAI's format. */
export const responseId = (name: string): string => `chatcmpl-${name.padEnd(28, 'x')}`;

interface Chat {
  /** Null if the response has no id. */
  id: string | null;
  tokens_in?: number;
  tokens_out?: number;
  prompt?: string;
  completion?: string;
  /** Further fields of the request. */
  requestFields?: object;
  /** Further fields of the capture. */
  captureFields?: object;
}

/** A captured exchange with OpenAI's chat completions, as a device reports it. */
export function chatCapture(capture: string, at: string, chat: Chat) {
  const { id, tokens_in = 100, tokens_out = 10, requestFields = {} } = chat;
  const { prompt = 'Where is my order?', completion = 'On its way.' } = chat;
  const request = {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: prompt }],
    ...requestFields,
  };
  const response = {
    ...(id !== null && { id }),
    object: 'chat.completion',
    model: 'gpt-4o-2024-08-06',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: completion } },
    ],
    usage: {
      prompt_tokens: tokens_in,
      completion_tokens: tokens_out,
      total_tokens: tokens_in + tokens_out,
    },
  };
  return captureOf(capture, at, {
    path: '/v1/chat/completions',
    request_body: JSON.stringify(request),
    response_body: JSON.stringify(response),
    model: null,
    provider: null,
    tokens_in: null,
    tokens_out: null,
    ...chat.captureFields,
  });
}
