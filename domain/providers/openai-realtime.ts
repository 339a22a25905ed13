import type { Api, Call, Description, StreamEvent } from './api.ts';
import type { LlmExchange } from './exchange.ts';
import { type IndexedParts, indexedParts } from './indexed-parts.ts';
import {
  field,
  hasSome,
  isObject,
  type JsonObject,
  joinedOf,
  listOf,
  setMember,
  sumOf,
  textOf,
} from './json-fields.ts';
import { namesOf, textOfContent } from './messages.ts';
import { type ResponseJoiner, responseJoiner } from './openai-response-events.ts';
import { describeResponse } from './openai-responses.ts';

const FACTS =
  /^(?:(?:transcription_)?session\.(?:created|updated)|response\.(?:created|done)|conversation\.item\.(?:created|added|done))$/;

/**
 * OpenAI's Realtime API, and its Responses API over a WebSocket: a conversation with many
 * responses.
 */
export const openAiRealtime: Api = {
  id: 'openai-realtime',
  provider: 'OpenAI-compatible',
  path: /\/realtime(?:\/translations)?$/,
  isRequest: (request) => hasSome(request, 'responses'),
  isResponse: (value) =>
    Array.isArray(field(value, 'responses')) ||
    (hasSome(value, 'session', 'response', 'item') &&
      FACTS.test(textOf(field(value, 'type')) ?? '')),
  joinStream: joinServerEvents,
  describe,
  describeEach,
};

/** Joins the settings, items and response requests that the client sent. */
export function joinClientEvents(events: readonly StreamEvent[]): object {
  const session = {};
  const items: unknown[] = [];
  const itemsById = new Map<string, object>();
  const responses: unknown[] = [];
  for (const { data } of events) {
    const { type, event_id: _, ...rest } = isObject(data) ? data : {};
    if (type === 'session.update') setAll(session, rest['session']);
    else if (type === 'conversation.item.create') addClientItem(items, itemsById, rest['item']);
    // In the Responses API, the event itself has the members of the request.
    else if (type === 'response.create') responses.push(rest['response'] ?? rest);
  }
  return { ...(Object.keys(session).length > 0 && { session }), items, responses };
}

/** Several events with the id of one item send its texts in pieces. */
function addClientItem(items: unknown[], byId: Map<string, object>, item: unknown): void {
  const id = textOf(field(item, 'id'));
  const known = id === null ? undefined : byId.get(id);
  if (known && isObject(item)) {
    continueItem(known, item);
    return;
  }
  const copy = structuredClone(item);
  items.push(copy);
  if (id !== null && isObject(copy)) byId.set(id, copy);
}

function continueItem(known: object, { content, ...facts }: JsonObject): void {
  setAll(known, facts);
  const parts = field(known, 'content');
  const knownParts: unknown[] = Array.isArray(parts) ? parts : [];
  for (const [index, part] of listOf(content).entries()) {
    const text = field(part, 'text');
    const before = field(knownParts[index], 'text');
    if (typeof text === 'string' && typeof before === 'string')
      setMember(knownParts[index] as object, 'text', before + text);
    else knownParts.push(structuredClone(part));
  }
  setMember(known, 'content', knownParts);
}

function setAll(target: object, facts: unknown): void {
  if (!isObject(facts)) return;
  for (const [name, value] of Object.entries(facts)) setMember(target, name, value);
}

interface Item {
  value: object;
  /** What was heard in each part of the content. */
  heard: IndexedParts<{ text: string }>;
}

interface Conversation {
  session: object;
  /** Translations have transcripts instead of items and responses. */
  transcripts: Record<string, string>;
  items: Map<string, Item>;
  responses: Map<unknown, ResponseJoiner>;
  /** The response of events that do not name one. */
  current: unknown;
  error: unknown;
}

function joinServerEvents(events: readonly StreamEvent[]): object | null {
  const conversation: Conversation = {
    session: {},
    transcripts: {},
    items: new Map(),
    responses: new Map(),
    current: undefined,
    error: undefined,
  };
  let isKnown = false;
  for (const { data } of events) {
    isKnown ||= openAiRealtime.isResponse(data) || isPiece(data);
    addServerEvent(conversation, data);
  }
  if (!isKnown) return null;
  const { session, transcripts, items, responses, error } = conversation;
  return {
    ...(Object.keys(session).length > 0 && { session }),
    ...(error !== undefined && { error }),
    ...transcripts,
    items: [...items.values()].map(completeItem),
    responses: [...responses.values()].map((joiner) => joiner.response()),
  };
}

/**
 * Whether the event, of a conversation whose beginning is not known, is a piece of an item. The
 * events of the Responses API do not name the response.
 */
function isPiece(event: unknown): boolean {
  const type = textOf(field(event, 'type')) ?? '';
  if (textOf(field(event, 'item_id')) === null || !/\.(?:delta|done|completed)$/.test(type))
    return false;
  return (
    type.startsWith('conversation.item.') ||
    (type.startsWith('response.') && field(event, 'response_id') !== undefined)
  );
}

function completeItem({ value, heard }: Item): object {
  const transcript = joinedOf(
    heard.all().map(({ text }) => text),
    '\n',
  );
  return transcript === null ? value : { ...value, transcript };
}

const TRANSCRIPT = /^session\.((?:in|out)put_transcript)\.delta$/;

function addServerEvent(conversation: Conversation, event: unknown): void {
  const type = textOf(field(event, 'type')) ?? '';
  const itemId = textOf(field(event, 'item_id')) ?? textOf(field(event, 'item', 'id'));
  const [, transcript] = TRANSCRIPT.exec(type) ?? [];
  if (transcript !== undefined) {
    const { transcripts } = conversation;
    transcripts[transcript] =
      (transcripts[transcript] ?? '') + (textOf(field(event, 'delta')) ?? '');
  } else if (/^(?:transcription_)?session\./.test(type))
    setAll(conversation.session, field(event, 'session'));
  else if (type.startsWith('response.')) addToResponse(conversation, event);
  else if (type === 'error') conversation.error = field(event, 'error');
  else if (type.startsWith('conversation.item.') && itemId !== null)
    addToItem(conversation.items, itemId, event);
}

function addToResponse(conversation: Conversation, event: unknown): void {
  const id = field(event, 'response_id') ?? field(event, 'response', 'id') ?? conversation.current;
  const joiner = conversation.responses.get(id) ?? responseJoiner();
  if (!joiner.add(event)) return;
  conversation.responses.set(id, joiner);
  conversation.current = id;
}

/** The transcript of the user's audio arrives after its item. */
function addToItem(items: Map<string, Item>, id: string, event: unknown): void {
  const item = items.get(id) ?? { value: {}, heard: indexedParts(() => ({ text: '' })) };
  items.set(id, item);
  setAll(item.value, field(event, 'item'));
  const transcript = field(event, 'transcript');
  const delta = field(event, 'delta');
  if (typeof transcript !== 'string' && typeof delta !== 'string') return;
  const part = item.heard.at(field(event, 'content_index'));
  part.text = typeof transcript === 'string' ? transcript : part.text + String(delta);
}

function describe(call: Call, response: unknown): Description {
  const { request } = call;
  const descriptions = describeEach(call, response);
  const last = descriptions.at(-1);
  const session = sessionOf(request, response);
  const total = (name: keyof Tokens): number | null =>
    sumOf(...descriptions.map((description) => description[name] ?? null));
  return {
    operation: 'chat',
    ...last,
    model: last?.model ?? modelOf(request, session),
    tokens_in: total('tokens_in'),
    tokens_out: total('tokens_out'),
    tokens_cached: total('tokens_cached'),
    tokens_reasoning: total('tokens_reasoning'),
    tokens_cache_written: total('tokens_cache_written'),
    prompt: promptOf(request, response) ?? last?.prompt ?? null,
    completion:
      joinedOf(
        descriptions.map((description) => description.completion ?? null),
        '\n\n',
      ) ?? textOf(field(response, 'output_transcript')),
    tools_offered: [
      ...new Set([
        ...toolsOf(session),
        ...responsesOf(call, response).flatMap(({ tools_offered = [] }) => tools_offered),
      ]),
    ],
    tools_called: descriptions.flatMap((description) => description.tools_called ?? []),
    error:
      textOf(field(response, 'error', 'message')) ??
      descriptions.findLast(({ error }) => error)?.error ??
      null,
    conversation_id: last?.conversation_id ?? textOf(field(session, 'id')),
  };
}

const sessionOf = (request: unknown, response: unknown): unknown =>
  field(response, 'session') ?? field(request, 'session');

const modelOf = (request: unknown, session: unknown): string | null =>
  textOf(field(session, 'model')) ??
  textOf(field(listOf(field(request, 'responses')).at(-1), 'model'));

const toolsOf = (session: unknown): string[] =>
  namesOf(field(session, 'tools'), 'name', 'server_label', 'type');

/** Describes each response by what it and its request say, without the session. */
function responsesOf({ request }: Call, response: unknown): Description[] {
  const requests = listOf(field(request, 'responses'));
  return listOf(field(response, 'responses')).map((body, index) =>
    describeResponse(requests[index], body),
  );
}

/** Describes each response with what only the session and the conversation say about it. */
function describeEach(call: Call, response: unknown): Description[] {
  const { request } = call;
  const descriptions = responsesOf(call, response);
  const session = sessionOf(request, response);
  const model = modelOf(request, session);
  const tools = toolsOf(session);
  const conversation =
    descriptions.findLast(({ conversation_id }) => conversation_id)?.conversation_id ??
    textOf(field(session, 'id'));
  const firstItems = listOf(field(response, 'responses')).map((body) =>
    field(body, 'output', 0, 'id'),
  );
  const prompts = promptsByAnswer(response, new Set(firstItems));
  const last = descriptions.length - 1;
  return descriptions.map((description, index) => ({
    ...description,
    model: description.model ?? model,
    prompt:
      description.prompt ??
      prompts.get(firstItems[index]) ??
      (index === last ? promptOf(request, response) : null),
    tools_offered: description.tools_offered?.length ? description.tools_offered : tools,
    conversation_id: description.conversation_id ?? conversation,
  }));
}

/**
 * The user messages that responses answer, by the id of the response's first item. Only the first
 * response to a message has it, as the others answer tools.
 */
function promptsByAnswer(response: unknown, answers: ReadonlySet<unknown>): Map<unknown, string> {
  const prompts = new Map<unknown, string>();
  let prompt: string | null = null;
  for (const item of listOf(field(response, 'items'))) {
    if (field(item, 'role') === 'user') prompt = userText(item) ?? prompt;
    const id = field(item, 'id');
    if (prompt === null || !answers.has(id)) continue;
    prompts.set(id, prompt);
    prompt = null;
  }
  return prompts;
}

type Tokens = Pick<
  LlmExchange,
  'tokens_in' | 'tokens_out' | 'tokens_cached' | 'tokens_reasoning' | 'tokens_cache_written'
>;

/** Text from the client, or the server's transcript of its audio. */
function promptOf(request: unknown, response: unknown): string | null {
  const items = [...listOf(field(request, 'items')), ...listOf(field(response, 'items'))];
  const userTexts = items.filter((item) => field(item, 'role') === 'user').map(userText);
  return (
    userTexts.findLast((text) => text !== null) ??
    textOf(field(response, 'input_transcript')) ??
    null
  );
}

const userText = (item: unknown): string | null =>
  textOf(field(item, 'transcript')) ?? textOfContent(field(item, 'content'));
