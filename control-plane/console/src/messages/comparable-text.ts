import { isObject, parseJson } from './parse/json.ts';
import type { JsonObject } from './parse/json.ts';
import type { Message, Part } from './parse/model.ts';
import { printJson } from './parse/print-json.ts';
import { readConversation } from './parse/read-conversation.ts';

/**
 * Converts a recorded value to text for a comparison, with one line per line of a message and per
 * member of JSON.
 */
export function comparableText(value: unknown): string {
  const json = typeof value === 'string' ? parseJson(value) : value;
  // Printed as JSON, because the names of its members must be compared too.
  if (isObject(json) && !isConversation(json)) return printJson(json);
  const { messages, rest } = readConversation(value, null);
  const texts = messages.map(messageText);
  if (rest !== undefined) texts.push(jsonText(rest));
  return texts.join('\n\n');
}

const isConversation = (value: JsonObject): boolean =>
  'role' in value || Array.isArray(value['messages']);

function messageText({ role, label, name, parts, rest }: Message): string {
  const heading = [label ?? role, name].filter((one) => one !== null).join(' ');
  const texts = parts.map(partText);
  if (rest !== null) texts.push(jsonText(rest));
  return [...(heading === '' ? [] : [`${heading}:`]), ...texts].join('\n');
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.rest === null ? part.text : `${part.text}\n${jsonText(part.rest)}`;
    case 'tool_call': {
      const { name, input, result } = part;
      const call = `${name}(${inputText(input)})`;
      return result ? `${call}\n${partText(result)}` : call;
    }
    case 'tool_result':
      return `${part.failed ? 'failed' : 'result'}: ${part.output.map(partText).join('\n')}`;
    case 'media':
    case 'data':
      return jsonText(part.value);
  }
}

const inputText = (input: unknown): string =>
  typeof input === 'string' && parseJson(input) === undefined ? input : jsonText(input);

/** Formats a value as JSON. Text that contains JSON is parsed first. */
const jsonText = (value: unknown): string =>
  printJson((typeof value === 'string' ? parseJson(value) : undefined) ?? value);
