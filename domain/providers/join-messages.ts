import type { StreamEvent } from './api.ts';
import { chatGpt } from './chatgpt.ts';
import { field, textOf, textWithoutLogprobs } from './json-fields.ts';
import { joinByPath } from './join-by-path.ts';
import type { JoinedExchange } from './join-exchange.ts';
import { joinClientEvents, openAiRealtime } from './openai-realtime.ts';
import { parseJson } from './parse-json.ts';
import { readSse } from './stream-formats/sse.ts';

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
    .map(({ text }): StreamEvent => ({ name: null, data: dataOf(text) }));

/** A number alone is a piece of a text rather than JSON. */
function dataOf(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'string' || (typeof value === 'object' && value !== null) ? value : text;
}

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

/**
 * One message as it is. Several are joined as the server's: texts may be sent in pieces, and
 * nothing must be divided where redaction looks.
 */
function requestOf(asked: readonly StreamEvent[]): string | null {
  const texts = new Set(asked.map(({ data }) => JSON.stringify(data)));
  const [first] = texts;
  if (first === undefined) return null;
  return texts.size === 1 ? first : JSON.stringify(joinByPath(asked));
}

const textOfJoined = (joined: object | null): string | null =>
  joined && textWithoutLogprobs(joined);
