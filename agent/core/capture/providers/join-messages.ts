import type { StreamEvent } from './api.ts';
import { chatGpt } from './chatgpt.ts';
import { field, textOf } from './json-fields.ts';
import { joinByPath } from './join-by-path.ts';
import type { JoinedExchange } from './join-exchange.ts';
import { joinClientEvents, openAiRealtime } from './openai-realtime.ts';
import { parseJson } from './parse-json.ts';
import { readSse } from './stream-formats/sse.ts';
import { textWithoutLogprobs } from './without-logprobs.ts';

/** A text message of a WebSocket. */
export interface SocketMessage {
  from: 'client' | 'server';
  text: string;
}

/** A conversation over a WebSocket as one request and one answer. */
export function joinMessages(messages: readonly SocketMessage[]): JoinedExchange {
  const asked = eventsFrom('client', messages);
  const answered = eventsFrom('server', messages).flatMap(unwrapped);
  const realtime = openAiRealtime.joinStream(answered);
  if (realtime) {
    const request = asked.length > 0 ? JSON.stringify(joinClientEvents(asked)) : null;
    return { request, response: textOfJoined(realtime), api: openAiRealtime.id };
  }
  const chat = answered.some(({ data }) => chatGpt.answers(data)) && chatGpt.joinStream(answered);
  return {
    request: requestOf(asked),
    response: textOfJoined(chat || joinByPath(answered)),
    api: chat ? chatGpt.id : null,
  };
}

const eventsFrom = (from: SocketMessage['from'], messages: readonly SocketMessage[]) =>
  messages
    .filter((message) => message.from === from && message.text !== '')
    .map(({ text }): StreamEvent => ({ name: null, data: parseJson(text) ?? text }));

/** ChatGPT sends the events of its streams, as SSE would, within messages. */
function unwrapped(event: StreamEvent): StreamEvent[] {
  const places = [
    ['encoded_item'],
    ['payload', 'encoded_item'],
    ['payload', 'payload', 'encoded_item'],
  ];
  const items = places.map((path) => textOf(field(event.data, ...path)));
  const item = items.find((text) => text !== null);
  return item === undefined || item === null ? [event] : readSse(item);
}

/** What people say are messages of their own; what a client only repeats is said once. */
function requestOf(asked: readonly StreamEvent[]): string | null {
  const texts = new Set(asked.map(({ data }) => JSON.stringify(data)));
  const [first] = texts;
  if (first === undefined) return null;
  return texts.size === 1 ? first : `{"messages":[${[...texts].join(',')}]}`;
}

const textOfJoined = (joined: object | null): string | null =>
  joined && textWithoutLogprobs(joined);
