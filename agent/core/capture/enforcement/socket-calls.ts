import { MAX_CHECKED_REQUEST_LENGTH } from '#contract/call-check.ts';
import { apiOfUrl } from '#domain/providers/apis.ts';
import { field, isObject, listOf as elementsOf, textOf } from '#domain/providers/json-fields.ts';
import { joinClientEvents } from '#domain/providers/openai-realtime.ts';
import type { CopyBudget } from '../wire/exchange.ts';
import { listOf } from '../wire/headers.ts';
import { isForHost, messageOf, pathOf, type PolicyRefusal } from './refusal.ts';
import type { RequestHead } from './held-request.ts';
import { createSocketConversation } from './socket-conversation.ts';

/** The answer to a refused call: an event, or a close with a reason. */
export type SocketRefusal = { kind: 'event'; text: string } | { kind: 'close'; reason: string };

/** A call with its context, most important part first. */
export interface SocketCall {
  request: object;
  /** Whether the oldest part of the context is missing. */
  truncated: boolean;
}

/** Recognizes the calls of an API on one WebSocket. */
export interface SocketCalls {
  /** Reads a client message of `length` characters. Returns the call that it starts, if any. */
  read: (message: unknown, length: number) => SocketCall | null;
  /** The answer to the last call; `eventId` must be unique. */
  refuse: (refusal: PolicyRefusal, eventId: string) => SocketRefusal;
  /** Discards all state; no more messages come. */
  release: () => void;
}

/** The parser for the WebSocket that this request opens; null if it has no calls. */
export function socketCallsFor(
  host: string,
  head: RequestHead,
  budget: CopyBudget,
): SocketCalls | null {
  const { method, target, headers } = head;
  const isUpgrade = method === 'GET' && listOf(headers, 'upgrade').includes('websocket');
  if (!isUpgrade || !isForHost(host, head)) return null;
  const id = apiOfUrl(host, pathOf(target))?.id;
  if (id === 'openai-realtime') return openAiRealtime(target, budget);
  if (id === 'openai-responses') return openAiResponses();
  return id === 'gemini' ? geminiLive(budget) : null;
}

/** Messages before `response.create` are part of the call, and of all later calls. */
function openAiRealtime(target: string, budget: CopyBudget): SocketCalls {
  const model = new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]).get('model');
  const conversation = createSocketConversation(budget);
  let last: unknown;
  return {
    read: (message, length) => {
      const type = textOf(field(message, 'type'));
      if (type === 'session.update') {
        const session = updatedSession(conversation.settings(), message);
        conversation.setSettings(session, JSON.stringify(session).length);
      }
      if (type === 'conversation.item.create') conversation.add([field(message, 'item')], length);
      if (type !== 'response.create') return null;
      last = message;
      const responses = field(joinClientEvents([eventOf(message)]), 'responses');
      const { parts: items, truncated } = conversation.newest(length);
      const session = { ...(model !== null && { model }), ...conversation.settings() };
      return { request: { responses, items, session }, truncated };
    },
    refuse: (refusal, eventId) => openAiError(refusal, eventId, last),
    release: conversation.release,
  };
}

const eventOf = (data: unknown) => ({ name: null, data });

/** A session too large to evaluate is replaced by this update. */
function updatedSession(session: object, update: unknown): Record<string, unknown> {
  const before = eventOf({ type: 'session.update', session });
  const updated = field(joinClientEvents([before, eventOf(update)]), 'session');
  const isTooLong = JSON.stringify(updated ?? {}).length > MAX_CHECKED_REQUEST_LENGTH;
  return memberOf(isTooLong ? field(update, 'session') : updated);
}

/** Each `response.create` is a complete request. */
function openAiResponses(): SocketCalls {
  let last: unknown;
  return {
    read: (message) => {
      if (field(message, 'type') !== 'response.create') return null;
      last = message;
      const { type: _, event_id: __, ...request } = memberOf(message);
      return { request: memberOf(request['response'] ?? request), truncated: false };
    },
    refuse: (refusal, eventId) => openAiError(refusal, eventId, last),
    release: () => undefined,
  };
}

const memberOf = (value: unknown): Record<string, unknown> => (isObject(value) ? { ...value } : {});

/** `status` belongs to the Responses API, `event_id` to the Realtime API. */
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
function geminiLive(budget: CopyBudget): SocketCalls {
  const conversation = createSocketConversation(budget);
  return {
    read: (message, length) => {
      const setup = field(message, 'setup');
      if (isObject(setup)) conversation.setSettings(memberOf(setup), length);
      const content = field(message, 'clientContent') ?? field(message, 'client_content');
      const turns = elementsOf(field(content, 'turns'));
      if (turns.length > 0) conversation.add(turns, length);
      const realtime = field(message, 'realtimeInput') ?? field(message, 'realtime_input');
      const text = textOf(field(realtime, 'text'));
      if (text !== null) conversation.add([{ role: 'user', parts: [{ text }] }], length);
      const isTurn =
        field(content, 'turnComplete') === true || field(content, 'turn_complete') === true;
      if (text === null && !isTurn) return null;
      const { parts: contents, truncated } = conversation.newest(0);
      const { model: named, contents: _, ...settings } = conversation.settings();
      const model = textOf(named)?.replace(/^models\//, '');
      return {
        request: { ...(model !== undefined && { model }), contents, ...settings },
        truncated,
      };
    },
    refuse: (refusal) => ({ kind: 'close', reason: messageOf(refusal) }),
    release: conversation.release,
  };
}
