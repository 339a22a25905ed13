import { captureOf } from './device-reports.ts';

/** An id in OpenAI's format. */
export const responseId = (name: string): string => `chatcmpl-${name.padEnd(28, 'x')}`;

/** A captured WebSocket of the Responses API, with one response for each id. */
export function socketCapture(
  capture: string,
  at: string,
  { ids, captureFields }: { ids: readonly string[]; captureFields: object },
) {
  const requests = ids.map((id) => ({ model: 'gpt-5', input: `Question for ${id}` }));
  const responses = ids.map((id, index) => ({
    id,
    object: 'response',
    model: 'gpt-5',
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ text: `Answer ${id}` }] }],
    usage: { input_tokens: 100 * (index + 1), output_tokens: 10, total_tokens: 0 },
  }));
  return captureOf(capture, at, {
    method: 'GET',
    path: '/v1/responses',
    status: 101,
    request_body: JSON.stringify({ items: [], responses: requests }),
    response_body: JSON.stringify({ items: [], responses }),
    model: null,
    provider: null,
    tokens_in: null,
    tokens_out: null,
    ...captureFields,
  });
}

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
