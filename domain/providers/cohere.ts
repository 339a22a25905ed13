import type { Api, Call, Description, StreamEvent } from './api.ts';
import type { ToolCall } from './exchange.ts';
import { indexedParts } from './indexed-parts.ts';
import {
  countOf,
  field,
  hasSome,
  isObject,
  joinedOf,
  type JsonObject,
  listOf,
  setMember,
  textOf,
} from './json-fields.ts';
import { mergeDelta } from './merge-delta.ts';
import { lastUserText, namesOf, toolCall } from './messages.ts';

/** Cohere's Chat API, version 2. */
export const cohere: Api = {
  id: 'cohere-chat',
  provider: 'Cohere',
  path: /\/v2\/chat$/,
  isRequest: (request) => hasSome(request, 'messages', 'model'),
  isResponse: (value) =>
    field(value, 'type') === 'message-start' ||
    (Array.isArray(field(value, 'message', 'content')) && 'finish_reason' in (value as object)),
  joinStream,
  describe,
};

/** The part of the message that an event appends to, by the prefix of the event type. */
const lists: readonly (readonly [prefix: string, member: string])[] = [
  ['content-', 'content'],
  ['tool-call-', 'tool_calls'],
  ['citation-', 'citations'],
];

const memberOf = (type: string): string | undefined =>
  lists.find(([prefix]) => type.startsWith(prefix))?.[1];

function joinStream(events: readonly StreamEvent[]): object | null {
  const head: Record<string, unknown> = {};
  const message: Record<string, unknown> = {};
  const parts = new Map(lists.map(([, member]) => [member, indexedParts<object>(() => ({}))]));

  const add = (type: string, event: JsonObject): void => {
    const delta = event['delta'];
    const messageDelta = field(delta, 'message');
    const member = memberOf(type);
    const piece = member === undefined ? undefined : field(messageDelta, member);
    if (type === 'message-start') setMember(head, 'id', event['id']);
    if (type === 'message-end' && isObject(delta)) mergeDelta(head, delta);
    else if (member === undefined && isObject(messageDelta)) mergeDelta(message, messageDelta);
    const part = parts.get(member ?? '')?.at(event['index']);
    if (part && isObject(piece)) mergeDelta(part, piece);
  };

  let isKnown = false;
  for (const { data } of events) {
    const type = field(data, 'type');
    if (!isObject(data) || typeof type !== 'string') continue;
    isKnown ||= type === 'message-start' || type === 'message-end';
    add(type, data);
  }
  if (!isKnown) return null;
  for (const [member, list] of parts) if (list.all().length > 0) message[member] = list.all();
  return { ...head, message };
}

function describe({ request }: Call, response: unknown): Description {
  const usage = field(response, 'usage');
  const tokens = field(usage, 'tokens') ?? field(usage, 'billed_units');
  const message = field(response, 'message');
  return {
    operation: 'chat',
    model: textOf(field(request, 'model')),
    tokens_in: countOf(field(tokens, 'input_tokens')),
    tokens_out: countOf(field(tokens, 'output_tokens')),
    tokens_cached: countOf(field(usage, 'cached_tokens')),
    prompt: lastUserText(field(request, 'messages')),
    completion: joinedOf(
      listOf(field(message, 'content')).map((part) => textOf(field(part, 'text'))),
      '',
    ),
    tools_offered: namesOf(field(request, 'tools'), 'function.name'),
    tools_called: listOf(field(message, 'tool_calls')).map(callOf),
    finish_reason: textOf(field(response, 'finish_reason')),
    response_id: textOf(field(response, 'id')),
  };
}

function callOf(call: unknown): ToolCall {
  const used = field(call, 'function');
  return toolCall(field(used, 'name'), field(used, 'arguments'), field(call, 'id'));
}
