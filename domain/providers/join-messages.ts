import type { StreamEvent } from './api.ts';
import { chatGpt } from './chatgpt.ts';
import { gemini } from './gemini.ts';
import { joinLiveMessages } from './gemini-live.ts';
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

/** Joins a WebSocket conversation into one request and one response. */
export function joinMessages(messages: readonly SocketMessage[]): JoinedExchange {
  const clientEvents = eventsFrom('client', messages);
  const serverEvents = eventsFrom('server', messages).flatMap(unwrapped);
  const realtime = openAiRealtime.joinStream(serverEvents);
  if (realtime) {
    const request = clientEvents.length > 0 ? JSON.stringify(joinClientEvents(clientEvents)) : null;
    return { request, response: textOfJoined(realtime), api: openAiRealtime.id };
  }
  const live = joinLiveMessages(
    messages.map(({ from, text }) => ({ from, data: text === '' ? '' : dataOf(text) })),
  );
  if (live)
    return {
      request: JSON.stringify(live.request),
      response: textOfJoined(live.response),
      api: gemini.id,
    };
  const chat =
    serverEvents.some(({ data }) => chatGpt.isResponse(data)) && chatGpt.joinStream(serverEvents);
  return {
    request: requestOf(clientEvents),
    response: textOfJoined(chat || joinByPath(serverEvents)),
    api: chat ? chatGpt.id : null,
  };
}

const eventsFrom = (from: SocketMessage['from'], messages: readonly SocketMessage[]) =>
  messages
    .filter((message) => message.from === from && message.text !== '')
    .map(({ text }): StreamEvent => ({ name: null, data: dataOf(text) }));

/** Parses a message. A lone number, boolean or null stays text, because it is a piece of one. */
function dataOf(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'string' || (typeof value === 'object' && value !== null) ? value : text;
}

/** ChatGPT puts the events of its streams into messages, in the format of SSE. */
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
 * The request that the client's messages form. A single message stays unchanged. Several messages
 * are joined like the server's, because a text may be split over them, and redaction must see it
 * whole.
 */
function requestOf(clientEvents: readonly StreamEvent[]): string | null {
  const texts = new Set(clientEvents.map(({ data }) => JSON.stringify(data)));
  const [first] = texts;
  if (first === undefined) return null;
  return texts.size === 1 ? first : JSON.stringify(joinByPath(clientEvents));
}

const textOfJoined = (joined: object | null): string | null =>
  joined && textWithoutLogprobs(joined);
