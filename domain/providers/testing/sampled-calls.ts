import { describeExchange } from '../describe-exchange.ts';
import { joinExchange } from '../join-exchange.ts';

/** A path of each API, with an event that identifies its stream. */
export const sampleCalls = [
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
export type SampleCall = (typeof sampleCalls)[number];

/**
 * Joins and describes an exchange. Throws if the joined response is neither JSON nor the body
 * itself.
 */
export function joinAndDescribe(
  [host, path, request]: SampleCall,
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

export const textEvents: readonly (readonly [
  call: SampleCall,
  event: (text: string, index: number) => object,
])[] = [
  [sampleCalls[0], (content) => ({ choices: [{ index: 0, delta: { content } }] })],
  [
    sampleCalls[0],
    (text) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }],
    }),
  ],
  [
    sampleCalls[1],
    (delta) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
  ],
  [
    sampleCalls[5],
    (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  ],
  [sampleCalls[6], (text) => ({ candidates: [{ content: { parts: [{ text }] } }] })],
  [sampleCalls[9], (content) => ({ model: 'm', done: false, message: { content } })],
  [sampleCalls[10], (response) => ({ model: 'm', done: false, response })],
  [sampleCalls[15], (text, index) => ({ text, index, event_id: `e${index}` })],
];
