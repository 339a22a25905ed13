import type { StreamEvent } from '#domain/providers/api.ts';
import { apiServing } from '#domain/providers/apis.ts';
import { field, isObject, listOf as elementsOf, textOf } from '#domain/providers/json-fields.ts';
import { joinClientEvents } from '#domain/providers/openai-realtime.ts';
import { listOf } from '../wire/headers.ts';
import { isForHost, messageOf, pathOf, type PolicyRefusal } from './refusal.ts';
import type { RequestHead } from './held-request.ts';

/** How a refused call is answered: with an event, or by closing with a reason. */
export type SocketRefusal = { kind: 'event'; text: string } | { kind: 'close'; reason: string };

/** The calls of an API over one WebSocket. */
export interface SocketCalls {
  /** Reads a message of the client. Returns the request that it completes, if it begins a call. */
  read: (message: unknown) => object | null;
  /** Answers the call that was read last; `eventId` is unique. */
  refuse: (refusal: PolicyRefusal, eventId: string) => SocketRefusal;
}

/** The calls on the WebSocket that this request asks for; null if it is another request. */
export function heldSocketCalls(
  host: string,
  { method, target, headers }: RequestHead,
): SocketCalls | null {
  const isUpgrade = method === 'GET' && listOf(headers, 'upgrade').includes('websocket');
  if (!isUpgrade || !isForHost(host, headers)) return null;
  const id = apiServing(host, pathOf(target))?.id;
  if (id === 'openai-realtime') return openAiRealtime(target);
  if (id === 'openai-responses') return openAiResponses();
  return id === 'gemini' ? geminiLive() : null;
}

/** What is said before `response.create` is part of the call, and stays part of later ones. */
function openAiRealtime(target: string): SocketCalls {
  const model = new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]).get('model');
  const before: StreamEvent[] = [];
  let last: unknown;
  return {
    read: (message) => {
      const type = textOf(field(message, 'type')) ?? '';
      const event = { name: null, data: message };
      if (type === 'session.update' || type === 'conversation.item.create') before.push(event);
      if (type !== 'response.create') return null;
      last = message;
      const joined = joinClientEvents([...before, event]);
      const session = field(joined, 'session');
      return { ...joined, session: { ...(model !== null && { model }), ...memberOf(session) } };
    },
    refuse: (refusal, eventId) => openAiError(refusal, eventId, last),
  };
}

/** Each `response.create` is a whole request. */
function openAiResponses(): SocketCalls {
  let last: unknown;
  return {
    read: (message) => {
      if (field(message, 'type') !== 'response.create') return null;
      last = message;
      const { type: _, event_id: __, ...request } = memberOf(message);
      return memberOf(request['response'] ?? request);
    },
    refuse: (refusal, eventId) => openAiError(refusal, eventId, last),
  };
}

const memberOf = (value: unknown): Record<string, unknown> => (isObject(value) ? { ...value } : {});

/** `status` is a member in the responses API, `event_id` in the realtime API. */
const openAiError = (refusal: PolicyRefusal, eventId: string, call: unknown): SocketRefusal => ({
  kind: 'event',
  text: JSON.stringify({
    type: 'error',
    event_id: `event_${eventId}`,
    status: 403,
    error: {
      type: 'permission_error',
      code: 'policy_refused',
      message: messageOf(refusal),
      param: null,
      event_id: textOf(field(call, 'event_id')),
    },
  }),
});

/** Google's Live API has no error event: its own errors close the WebSocket with a reason. */
function geminiLive(): SocketCalls {
  let setup: Record<string, unknown> = {};
  const contents: unknown[] = [];
  return {
    read: (message) => {
      if (isObject(field(message, 'setup'))) setup = memberOf(field(message, 'setup'));
      const content = field(message, 'clientContent') ?? field(message, 'client_content');
      contents.push(...elementsOf(field(content, 'turns')));
      const realtime = field(message, 'realtimeInput') ?? field(message, 'realtime_input');
      const text = textOf(field(realtime, 'text'));
      if (text !== null) contents.push({ role: 'user', parts: [{ text }] });
      const isTurn =
        field(content, 'turnComplete') === true || field(content, 'turn_complete') === true;
      if (text === null && !isTurn) return null;
      const model = textOf(setup['model'])?.replace(/^models\//, '');
      return { ...setup, ...(model !== undefined && { model }), contents: [...contents] };
    },
    refuse: (refusal) => ({ kind: 'close', reason: messageOf(refusal) }),
  };
}
