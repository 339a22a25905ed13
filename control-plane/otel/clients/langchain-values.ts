import { type Attributes, type Json, MAX_DEPTH } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import { definedMembers } from './client.ts';

/**
 * LangChain serializes an object as the call of its constructor
 * (`{"lc":1,"type":"constructor","id":[…,"AIMessage"],"kwargs":{…}}`, langchain_core/load/dump.py),
 * and messages also with their type (`{"type":"ai","data":{…}}`, `messages_to_dict`).
 */
const roles = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Matches the class of a message, such as `AIMessageChunk`. */
const MESSAGE = /^(Human|AI|System|Tool|Function|Chat)Message(?:Chunk)?$/;

/** The attributes of steps and tools that contain values of LangChain. */
const names = [
  'input.value',
  'output.value',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'gen_ai.tool.call.result',
];

/** Replaces serialized objects by their contents, and the output of a tool by its text. */
export function withPlainValues(attributes: Attributes, isTool: boolean): Attributes {
  const plain: Record<string, Json> = {};
  for (const name of names) {
    const text = attributes[name];
    if (typeof text !== 'string' || !SERIALIZED.test(text)) continue;
    const value = plainValue(parsed(text) ?? null, 0);
    plain[name] = isTool ? contentOf(value) : value;
  }
  return { ...attributes, ...plain };
}

const SERIALIZED = /"lc": ?1,|"data": ?\{/;

function plainValue(value: Json, depth: number): Json {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  const object = constructed(value) ?? value;
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, plainValue(member, depth + 1)]),
  );
}

/** Returns the contents of a serialized object; undefined for other objects. */
function constructed({ lc, type, id, kwargs, data }: Attributes): Attributes | undefined {
  if (lc === 1 && type === 'constructor' && isObject(kwargs)) {
    const name = Array.isArray(id) ? id.at(-1) : undefined;
    const kind = typeof name === 'string' ? MESSAGE.exec(name)?.[1]?.toLowerCase() : undefined;
    return kind === undefined ? kwargs : messageOf(kind, kwargs);
  }
  return typeof type === 'string' && (roles.has(type) || type === 'chat') && isObject(data)
    ? messageOf(type, data)
    : undefined;
}

function messageOf(kind: string, members: Attributes): Attributes {
  const { content, name, tool_calls: calls, tool_call_id } = members;
  return definedMembers({
    role: roles.get(kind) ?? members.role ?? kind,
    content: content ?? '',
    name: name ?? undefined,
    tool_calls: Array.isArray(calls) && calls.length > 0 ? calls : undefined,
    tool_call_id: tool_call_id ?? undefined,
  });
}

/** Returns the content of the message of a tool; other values as they are. */
function contentOf(output: Json): Json {
  const message = isObject(output) && isObject(output.output) ? output.output : output;
  return isObject(message) && message.role === 'tool' ? (message.content ?? output) : output;
}
