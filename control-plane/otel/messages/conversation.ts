import type { Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import type { Message } from './chat-message.ts';
import { isObject, readMessage } from './read-message.ts';

/** Parses a list of messages; undefined if it is not one. */
export function readMessages(value: Json | undefined, defaultRole: string): Message[] | undefined {
  const list = parsed(value);
  if (!Array.isArray(list)) return undefined;
  const messages = list.flatMap((item) => readMessage(item, defaultRole) ?? []);
  return messages.length > 0 ? messages : undefined;
}

/** Parses a prompt: messages, the body of a provider request, or text. */
export function readPrompt(value: Json | undefined): Message[] | undefined {
  const json = parsed(value);
  if (!isObject(json)) return readMessages(json, 'user') ?? text(json, 'user');
  const system = json.system ?? json.instructions;
  const content = json.messages ?? json.contents ?? json.prompt ?? json.input;
  const messages = readMessages(content, 'user') ?? text(parsed(content), 'user');
  if (!messages) return [{ role: 'user', content: JSON.stringify(json) }];
  return [...(system === undefined ? [] : instructions(system)), ...messages];
}

/** Parses a response: messages, the body of a provider response, or text. */
export function readResponse(value: Json | undefined): Message[] | undefined {
  const json = parsed(value);
  if (!isObject(json)) return readMessages(json, 'assistant') ?? text(json, 'assistant');
  const choices = readMessages(json.choices ?? json.messages ?? json.output, 'assistant');
  if (choices) return choices;
  const isMessage = 'content' in json || 'parts' in json || 'message' in json;
  const message = isMessage ? readMessage(json, 'assistant') : undefined;
  return [message ?? { role: 'assistant', content: JSON.stringify(json) }];
}

/** Converts system instructions, as text or parts, to a system message. */
export function instructions(value: Json): Message[] {
  const json = parsed(value);
  const parts = isObject(json ?? null) && !Array.isArray(json) ? [json as Json] : json;
  const message = readMessage({ role: 'system', content: parts ?? '' }, 'system');
  return message && message.content !== '' ? [message] : [];
}

const text = (value: Json | undefined, role: string): Message[] | undefined =>
  value === undefined || value === null || value === ''
    ? undefined
    : [{ role, content: typeof value === 'string' ? value : JSON.stringify(value) }];
