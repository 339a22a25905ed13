import { describeExchange } from '../describe-exchange.ts';
import { joinExchange } from '../join-exchange.ts';

/** A path of each API, with an event that identifies its stream. */
export const calls = [
  ['api.openai.com', '/v1/chat/completions', '{"messages":[]}'],
  ['api.openai.com', '/v1/responses', '{"input":"x"}'],
  ['api.openai.com', '/v1/completions', '{"prompt":"x"}'],
  ['api.openai.com', '/v1/embeddings', '{"input":"x"}'],
  ['api.openai.com', '/v1/realtime', '{"responses":[]}'],
  ['api.anthropic.com', '/v1/messages', '{"messages":[]}'],
  ['generativelanguage.googleapis.com', '/v1/models/g:streamGenerateContent', '{"contents":[]}'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/model/%E0/converse-stream', '{}'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/model/m/invoke-with-response-stream', '{}'],
  ['localhost', '/api/chat', '{"model":"m","messages":[]}'],
  ['localhost', '/api/generate', '{"model":"m","prompt":"x"}'],
  ['api.cohere.com', '/v2/chat', '{"messages":[]}'],
  ['q.us-east-1.amazonaws.com', '/', '{"conversationState":{}}'],
  ['chatgpt.com', '/backend-api/conversation', '{"messages":[{"author":{}}]}'],
  ['claude.ai', '/api/chat_conversations/c/completion', '{"prompt":"x"}'],
  ['unknown.example', '/', null],
] as const;
export type Sampled = (typeof calls)[number];

/**
 * Joins and describes an exchange. Throws if the joined response is neither JSON nor the body
 * itself.
 */
export function read(
  [host, path, request]: Sampled,
  body: string | Uint8Array,
  type: string,
): void {
  const joined = joinExchange({
    host,
    path,
    requestType: 'application/json',
    responseType: type,
    requestBody: request,
    responseBody: body,
  });
  if (joined.response !== null && joined.response !== body) JSON.parse(joined.response);
  describeExchange({ host, path, status: 200, ...joined });
}

export const sayings: readonly (readonly [
  call: Sampled,
  event: (text: string, index: number) => object,
])[] = [
  [calls[0], (content) => ({ choices: [{ index: 0, delta: { content } }] })],
  [
    calls[0],
    (text) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }],
    }),
  ],
  [
    calls[1],
    (delta) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
  ],
  [
    calls[5],
    (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  ],
  [calls[6], (text) => ({ candidates: [{ content: { parts: [{ text }] } }] })],
  [calls[9], (content) => ({ model: 'm', done: false, message: { content } })],
  [calls[10], (response) => ({ model: 'm', done: false, response })],
  [calls[15], (text, index) => ({ text, index, event_id: `e${index}` })],
];
