import type { Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import type { Message } from './message.ts';
import { isObject, readMessage } from './read-message.ts';

/** Messages from a list of them; undefined when it is none. */
export function readMessages(value: Json | undefined, defaultRole: string): Message[] | undefined {
  const list = parsed(value);
  if (!Array.isArray(list)) return undefined;
  const messages = list.flatMap((item) => readMessage(item, defaultRole) ?? []);
  return messages.length > 0 ? messages : undefined;
}

/** What was asked: messages, or the body of a request to a provider, or text. */
export function readPrompt(value: Json | undefined): Message[] | undefined {
  const given = parsed(value);
  if (!isObject(given)) return readMessages(given, 'user') ?? text(given, 'user');
  const system = given.system ?? given.instructions;
  const asked = given.messages ?? given.contents ?? given.prompt ?? given.input;
  const messages = readMessages(asked, 'user') ?? text(parsed(asked), 'user');
  if (!messages) return [{ role: 'user', content: JSON.stringify(given) }];
  return [...(system === undefined ? [] : instructions(system)), ...messages];
}

/** What was answered: messages, or the body of a provider's answer, or text. */
export function readResponse(value: Json | undefined): Message[] | undefined {
  const given = parsed(value);
  if (!isObject(given)) return readMessages(given, 'assistant') ?? text(given, 'assistant');
  const choices = readMessages(given.choices ?? given.messages ?? given.output, 'assistant');
  if (choices) return choices;
  const isMessage = 'content' in given || 'parts' in given || 'message' in given;
  const message = isMessage ? readMessage(given, 'assistant') : undefined;
  return [message ?? { role: 'assistant', content: JSON.stringify(given) }];
}

/** Instructions to the model as a message of the system, whether text or parts of it. */
export function instructions(value: Json): Message[] {
  const given = parsed(value);
  const parts = isObject(given ?? null) && !Array.isArray(given) ? [given as Json] : given;
  const message = readMessage({ role: 'system', content: parts ?? '' }, 'system');
  return message && message.content !== '' ? [message] : [];
}

const text = (value: Json | undefined, role: string): Message[] | undefined =>
  value === undefined || value === null || value === ''
    ? undefined
    : [{ role, content: typeof value === 'string' ? value : JSON.stringify(value) }];
