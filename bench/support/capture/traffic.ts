import { request } from '../load.ts';

/** A captured host, and one that is not captured. */
export const CAPTURED = 'api.openai.com';
export const NOT_CAPTURED = 'news.example.org';

const PROSE =
  'The invoice of last month names a delivery that nobody signed for, so the warehouse asks for a copy of the receipt before it pays. ';

const CHAT = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Answer in one paragraph.' },
    { role: 'user', content: PROSE.repeat(6) },
  ],
};

export const chatBody = Buffer.from(JSON.stringify(CHAT));

export const chatAnswer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-B2hT5mK8',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'gpt-4o-2024-08-06',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: PROSE.repeat(6) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 191, completion_tokens: 162, total_tokens: 353 },
  }),
);

const headers = {
  Host: CAPTURED,
  Authorization: `Bearer sk-${'a1'.repeat(20)}`,
  'User-Agent': 'OpenAI/JS 6.1.0',
  Accept: 'application/json',
};

export const CHAT_PATH = '/v1/chat/completions';
export const chatRequest = request('POST', CHAT_PATH, headers, chatBody);
export const smallRequest = request('GET', '/v1/models/gpt-4o', headers);
export const smallAnswer = Buffer.from('{"id":"gpt-4o","object":"model","owned_by":"system"}');

/** Requests a response with this many bytes. The bodies of `/v1/files/` would not be reported. */
export const bodyRequest = (bytes: number): Buffer =>
  request('GET', `/v1/evals/${bytes}/runs`, headers);
export const requestedBytes = (head: string): number =>
  Number(/ \/v1\/evals\/(\d+)\//.exec(head)?.[1] ?? 0);

/** Requests a stream with one event per `everyMs` milliseconds. */
export const streamRequest = (everyMs: number): Buffer =>
  request('POST', CHAT_PATH, { ...headers, 'X-Every': String(everyMs) }, chatBody);
export const requestedInterval = (head: string): number =>
  Number(/\r\nx-every: (\d+)/i.exec(head)?.[1] ?? 0);

/** The number of events of one stream, after whose end the client requests the next one. */
export const EVENTS_OF_STREAM = 100;

/** The time in milliseconds on a clock that all processes of this machine share. */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** An event that contains the time at which it was sent. */
export const eventNow = (): string =>
  `data: {"id":"chatcmpl-B2hT5mK8","object":"chat.completion.chunk","created":1790000000,` +
  `"model":"gpt-4o-2024-08-06","system_fingerprint":"fp_${sharedNow().toFixed(3)}","choices":` +
  `[{"index":0,"delta":{"content":" delivery"},"finish_reason":null}]}\n\n`;
export const sentAt = /"fp_(\d+\.\d+)"/g;

/** A part of a large response, which is JSON like an export of conversations. */
export const BLOCK = Buffer.from(
  `${JSON.stringify({ role: 'user', content: PROSE })},\n`.repeat(400),
).subarray(0, 65_536);
