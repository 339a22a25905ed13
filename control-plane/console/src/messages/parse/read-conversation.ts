import { isObject, MAX_DEPTH, parseJson } from './json.ts';
import type { JsonObject } from './json.ts';
import { joinTools } from './join-tools.ts';
import { textMessage } from './model.ts';
import type { Conversation, Message, Part, Role } from './model.ts';
import { readMessage } from './read-message.ts';
import { readParts } from './read-parts.ts';

/**
 * Reads a recorded value: text, JSON or JSON in text, in any format that clients record.
 *
 * @param role the role of text and of messages without a role
 */
export function readConversation(value: unknown, role: Role | null): Conversation {
  const { messages, rest } = readValue(value, role, 0);
  return { messages: joinTools(messages), rest };
}

const nothing: Conversation = { messages: [], rest: undefined };

function readValue(value: unknown, role: Role | null, depth: number): Conversation {
  if (value === null || value === undefined || value === '') return nothing;
  if (typeof value === 'string') {
    const json = parseJson(value);
    if (json === undefined) return { messages: [textMessage(value, role)], rest: undefined };
    return readValue(json, role, depth);
  }
  const messages = readMessages(value, role, depth);
  if (messages) return { messages, rest: undefined };
  return isObject(value) && depth < MAX_DEPTH
    ? readObject(value, role, depth)
    : { messages: [], rest: value };
}

/** Reads one message, or a list with at least one. */
function readMessages(value: unknown, role: Role | null, depth: number): Message[] | undefined {
  if (!Array.isArray(value)) {
    const message = readMessage(value);
    return message && [withRole(message, role)];
  }
  if (depth >= MAX_DEPTH || value.length === 0) return undefined;
  const list = value.map((item: unknown) =>
    Array.isArray(item) ? readMessages(item, role, depth + 1) : readMessage(item),
  );
  if (!list.some((read) => read !== undefined)) return undefined;
  return list.flatMap((read, at) => {
    if (read === undefined) return { ...textMessage('', role), parts: readParts(value[at]) };
    return Array.isArray(read) ? read : withRole(read, role);
  });
}

const withRole = (message: Message, role: Role | null): Message =>
  message.role === null && message.label === null ? { ...message, role } : message;

/** Members of requests and responses, by the role of their content. */
const systemNames = new Set([
  'system',
  'systemInstruction',
  'system_instruction',
  'system_instructions',
  'gen_ai.system_instructions',
  'instructions',
  'preamble',
]);
const userNames = new Set(['prompt', 'input', 'question', 'prompt_preview', 'input.value']);
const assistantNames = new Set([
  'completion',
  'response',
  'answer',
  'output_text',
  'response_preview',
  'output.value',
]);
/** Member names that do not describe their text. */
const plainNames = new Set(['text', 'content', 'value', 'message', 'output', 'result']);
/** Members whose JSON may contain messages at a deeper level. */
const envelopes = new Set([
  ...userNames,
  ...assistantNames,
  'output',
  'result',
  'candidates',
  'choices',
  'generations',
  'request',
  'body',
  'kwargs',
]);

/** Reads the body of a request or response, or any object that contains a conversation. */
function readObject(object: JsonObject, role: Role | null, depth: number): Conversation {
  const entries = Object.entries(object);
  const isOnly = entries.length === 1;
  const system: Message[] = [];
  const others: Message[] = [];
  const rest: [name: string, value: unknown][] = [];
  for (const [name, value] of entries) {
    const read = readMember(name, value, { role, depth, isOnly });
    (systemNames.has(name) ? system : others).push(...read.messages);
    if (read.rest !== undefined) rest.push([name, read.rest]);
  }
  const messages = [...system, ...others];
  if (messages.length === 0) return { messages, rest: object };
  return { messages, rest: rest.length > 0 ? Object.fromEntries(rest) : undefined };
}

interface Place {
  role: Role | null;
  depth: number;
  /** Whether the object has no other members. */
  isOnly: boolean;
}

function readMember(name: string, value: unknown, place: Place): Conversation {
  const role = roleOfMember(name, place.role);
  if (systemNames.has(name)) return readInstructions(value);
  if (typeof value === 'string' && parseJson(value) === undefined)
    return readTextMember(name, value, place);

  const inside = place.depth + 1;
  const read = readsInside(name, value, place)
    ? readValue(value, role, inside)
    : { messages: readMessages(value, role, inside) ?? [], rest: undefined };
  if (read.messages.length > 0) return read;
  const messages = readTexts(value, role);
  return messages.length > 0 ? { messages, rest: undefined } : { messages, rest: value };
}

/** Reads a text member. It is a message if its name says so, or if it is the only member. */
function readTextMember(name: string, value: string, place: Place): Conversation {
  const isKnown = userNames.has(name) || assistantNames.has(name);
  const isPlain = plainNames.has(name);
  const isText = isKnown || (place.isOnly && (isPlain || place.role !== null));
  if (!isText || value === '') return { messages: [], rest: value || undefined };
  const message = textMessage(value, roleOfMember(name, place.role));
  return { messages: [{ ...message, name: isKnown || isPlain ? null : name }], rest: undefined };
}

/** Reads a list of text or media parts, as MCP tools return them. */
function readTexts(value: unknown, role: Role | null): Message[] {
  if (!Array.isArray(value)) return [];
  const parts = readParts(value);
  const isContent = parts.every(({ kind }) => contentKinds.has(kind));
  const hasText = parts.some(({ kind }) => kind === 'text') && !value.some(isText);
  return isContent && hasText ? [{ ...textMessage('', role), parts }] : [];
}

const isText = (value: unknown): boolean => typeof value === 'string';
const contentKinds = new Set<Part['kind']>(['text', 'reasoning', 'media']);

const readsInside = (name: string, value: unknown, { isOnly }: Place): boolean =>
  isOnly || envelopes.has(name) || typeof value === 'string';

function roleOfMember(name: string, role: Role | null): Role | null {
  if (userNames.has(name)) return 'user';
  return assistantNames.has(name) ? 'assistant' : role;
}

/** Reads instructions, which are text, parts, or a message. */
function readInstructions(value: unknown): Conversation {
  const json = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  const messages = readMessages(json, 'system', 0);
  if (messages) return { messages, rest: undefined };
  const parts = readParts(json);
  const isKnown = parts.length > 0 && parts.every(({ kind }) => kind !== 'data');
  if (!isKnown) return { messages: [], rest: value };
  return { messages: [{ ...textMessage('', 'system'), parts }], rest: undefined };
}
