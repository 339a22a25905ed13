import type { Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { splitWords } from '../attribute-aliases.ts';
import type { Message, ToolCall } from './chat-message.ts';

interface Members {
  [key: string]: Json;
}

export const isObject = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a message in the form of the GenAI conventions, a provider's API or OpenInference. */
export function readMessage(value: Json, defaultRole: string): Message | undefined {
  if (typeof value === 'string') return { role: defaultRole, content: value };
  if (!isObject(value)) return undefined;
  const members = isObject(value.message) ? value.message : value;
  const role = typeof members.role === 'string' ? roleOf(members.role) : defaultRole;
  const parts = partsOf(members.parts ?? members.contents ?? members.content);
  const content = joined(parts, textOfPart);
  const reasoning = joined(parts, reasoningOfPart);
  const calls = toolCallsOf(parts, members.tool_calls);
  return {
    role,
    content,
    ...(reasoning !== '' && { reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Joins the texts of parts, one per line. Parts without text are skipped. */
function joined(parts: readonly Json[], read: (part: Json) => string | undefined): string {
  let all: string | undefined;
  for (const part of parts) {
    const text = read(part);
    if (text !== undefined) all = all === undefined ? text : `${all}\n${text}`;
  }
  return all ?? '';
}

function toolCallsOf(parts: readonly Json[], beside: Json | undefined): ToolCall[] {
  const calls: ToolCall[] = [];
  const add = (value: Json): void => {
    const call = readToolCall(value);
    if (call) calls.push(call);
  };
  for (const part of parts) if (isToolCall(part)) add(part);
  if (Array.isArray(beside)) beside.forEach(add);
  return calls;
}

/** Converts Gemini's name of the assistant role. */
const roleOf = (role: string): string => (role === 'model' ? 'assistant' : role);

/**
 * Returns the parts of a message. Text that is valid JSON stays text, unless it is a list of typed
 * parts.
 */
function partsOf(body: Json | undefined): Json[] {
  const json = parsed(body);
  if (!Array.isArray(json)) return [body ?? null];
  const parts = json.map(unwrapped).map(typed);
  const isText = typeof body === 'string' && !parts.every((part) => typeOf(part) !== '');
  return isText ? [body] : parts;
}

const unwrapped = (part: Json): Json =>
  isObject(part) && isObject(part.message_content) ? part.message_content : part;

/** Adds a type to the parts of Bedrock, Gemini and Genkit, whose only member says what they are. */
function typed(part: Json): Json {
  if (!isObject(part) || 'type' in part) return part;
  const call = part.toolUse ?? part.functionCall ?? part.function_call ?? part.toolRequest;
  if (isObject(call)) return { type: 'tool_call', id: call.toolUseId ?? call.ref ?? null, ...call };
  const result = [
    part.toolResult,
    part.functionResponse,
    part.function_response,
    part.toolResponse,
  ].find(isObject);
  if (result) return { type: 'tool_result', ...result };
  return typeof part.text === 'string' ? { type: 'text', text: part.text } : part;
}

const typeOf = (part: Json): string =>
  isObject(part) && typeof part.type === 'string' ? underscored(part.type) : '';

const underscored = (type: string): string =>
  type.includes('-') ? type.replaceAll('-', '_') : type;

const isToolCall = (part: Json): boolean => toolCallTypes.has(typeOf(part));

const isReasoning = (part: Json): boolean => reasoningTypes.has(typeOf(part));

const toolCallTypes = new Set(['tool_call', 'tool_use', 'function_call']);
const reasoningTypes = new Set(['reasoning', 'thinking']);

/**
 * Returns the text of a part: plain text as is, tool results as JSON, and for files a placeholder
 * with type and URI.
 */
function textOfPart(part: Json): string | undefined {
  if (typeof part === 'string') return part;
  if (part === null || isToolCall(part) || isReasoning(part)) return undefined;
  if (!isObject(part)) return JSON.stringify(part);
  if (media.has(typeOf(part))) return mediaText(part);
  const json = part.text ?? part.content ?? part.response ?? part.result ?? part.output;
  if (typeof json === 'string') return json;
  if (typeOf(part) === 'tool_result' && Array.isArray(json)) return textOfParts(json);
  return JSON.stringify(json ?? part);
}

const textOfParts = (parts: readonly Json[]): string =>
  parts.flatMap((part) => textOfPart(typed(part)) ?? []).join('\n');

const media = new Set(
  splitWords(`
    uri blob file image image_url input_image image_uri audio input_audio video document input_file
  `),
);

function mediaText(part: Members): string {
  const url = isObject(part.image_url) ? part.image_url.url : part.image_url;
  const uri = [part.uri, part.file_id, url, part.mime_type, part.mediaType].find(
    (value) => typeof value === 'string' && !value.startsWith('data:'),
  );
  return typeof uri === 'string' ? `[${typeOf(part)} ${uri}]` : `[${typeOf(part)}]`;
}

function reasoningOfPart(part: Json): string | undefined {
  if (!isReasoning(part) || !isObject(part)) return undefined;
  const text = part.content ?? part.text ?? part.thinking ?? part.reasoning;
  return typeof text === 'string' ? text : undefined;
}

function readToolCall(value: Json): ToolCall | undefined {
  if (!isObject(value)) return undefined;
  const call = isObject(value.tool_call) ? value.tool_call : value;
  const target = isObject(call.function) ? call.function : call;
  const name = target.name ?? target.toolName;
  if (typeof name !== 'string') return undefined;
  const id = call.id ?? call.toolCallId ?? call.call_id;
  const json = target.arguments ?? target.input ?? target.args;
  return { ...(typeof id === 'string' && { id }), name, arguments: parsed(json) ?? null };
}
