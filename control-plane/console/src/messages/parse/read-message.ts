import { isObject, keptWithin, MAX_DEPTH, Members, parseJson, type JsonObject } from './json.ts';
import { readLangChain } from './langchain.ts';
import { type Message, type Part, type Role, type TextPart, textPart } from './model.ts';
import { readPart, readParts } from './read-parts.ts';
import { readToolCall } from './tool-parts.ts';

const roles: Record<string, Role> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  chatbot: 'assistant',
  tool: 'tool',
  function: 'tool',
  ipython: 'tool',
};

/** The role for any provider's name of it; null for an unknown name. */
export const roleOf = (name: string): Role | null => {
  const key = name.toLowerCase();
  return Object.hasOwn(roles, key) ? (roles[key] ?? null) : null;
};

/** Reads a message in any of the known formats; undefined if the value is not a message. */
export function readMessage(value: unknown, depth = 0): Message | undefined {
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  const langChain = readLangChain(value);
  if (langChain) return { ...readRole(langChain.object), label: langChain.label };
  if (isMessage(value)) return readRole(value);
  return readChoice(value, depth) ?? readItem(value);
}

const contentNames = ['content', 'parts', 'contents', 'tool_calls', 'function_call', 'refusal'];

/** Whether an object is a message. A member `role` is not sufficient: users have roles too. */
function isMessage(value: JsonObject): boolean {
  const hasContent = contentNames.some((name) => name in value);
  const { role, author, message, type } = value;
  if (typeof role === 'string')
    return hasContent || (roleOf(role) !== null && typeof message === 'string');
  // The export format of the ChatGPT application.
  if (isObject(author)) return hasContent && typeof author['role'] === 'string';
  return Array.isArray(value['parts']) || (type === 'message' && hasContent);
}

function readRole(value: JsonObject): Message {
  const members = new Members(value);
  if (value['type'] === 'message') members.text('type');
  const author = isObject(value['author']) ? value['author']['role'] : null;
  const recorded = members.text('role') ?? (typeof author === 'string' ? author : null);
  const role = recorded === null ? null : roleOf(recorded);
  const name = members.text('name');
  const reasoning = members.text('reasoning', 'reasoning_content');
  const body = members.value('parts', 'contents', 'content') ?? members.text('message');
  const refusal = members.text('refusal');
  const parts = [
    ...(reasoning ? [{ kind: 'reasoning', text: reasoning, rest: null } as const] : []),
    ...readBody(body),
    ...(refusal ? [textPart(refusal)] : []),
  ];
  const calls = readCalls(members);
  return {
    role,
    label: recorded === role ? null : recorded,
    name,
    parts: [...asResult(parts, role, name, members), ...calls.filter(isNew(parts))],
    rest: members.rest(),
  };
}

/**
 * Reads the body of a message. OpenInference sends lists of parts as JSON text; the ChatGPT
 * application sends an object with parts.
 */
function readBody(body: unknown): Part[] {
  const list = typeof body === 'string' ? parseJson(body) : undefined;
  if (
    Array.isArray(list) &&
    list.every((part) => isObject(part) && typeof part['type'] === 'string')
  ) {
    const parts = readParts(list);
    if (parts.every(({ kind }) => kind !== 'data')) return parts;
  }
  if (isObject(body) && Array.isArray(body['parts'])) {
    const members = new Members(body);
    const parts = readParts(members.list('parts'));
    const rest = members.rest();
    return rest ? [...parts, { kind: 'data', value: rest }] : parts;
  }
  return readParts(body);
}

function readCalls(members: Members): Part[] {
  const legacy = members.object('function_call');
  return [...members.list('tool_calls'), ...(legacy ? [legacy] : [])].flatMap((call): Part[] => {
    const parts = isObject(call) ? readToolCall(call, readParts) : undefined;
    return parts ?? [{ kind: 'data', value: call }];
  });
}

/** Filters out repeated calls: LangChain repeats them among the parts of an answer. */
const isNew = (parts: readonly Part[]) => {
  const known = new Set(parts.flatMap((part) => sameCall(part) ?? []));
  return (part: Part) => !known.has(sameCall(part) ?? '');
};

const sameCall = (part: Part): string | undefined =>
  part.kind === 'tool_call' && part.id !== null && part.rest === null
    ? JSON.stringify([part.id, part.name, part.input])
    : undefined;

/** Converts a message of a tool to a result, unless its parts are results already. */
function asResult(parts: Part[], role: Role | null, name: string | null, members: Members): Part[] {
  if (role !== 'tool' || parts.some(({ kind }) => kind === 'tool_result')) return parts;
  const id = members.text('tool_call_id', 'toolCallId', 'id');
  return [{ kind: 'tool_result', id, name, failed: false, output: parts, rest: null }];
}

/** Reads a choice, a candidate or a generation: a message inside an object with other fields. */
function readChoice(value: JsonObject, depth: number): Message | undefined {
  const name = ['message', 'content', 'delta'].find((name) => isObject(value[name]));
  const inner = name === undefined ? undefined : readMessage(value[name], depth + 1);
  if (name === undefined || !inner) return undefined;
  const members = new Members(value);
  members.value(name);
  return { ...inner, rest: keptWithin(members.rest(), name, inner.rest) };
}

/** Reads an item of the Responses API, which lists calls, results and reasoning beside messages. */
function readItem(value: JsonObject): Message | undefined {
  const parts = typeof value['type'] === 'string' ? readPart(value, readParts) : undefined;
  const isItem = parts?.some(({ kind }) => itemKinds.has(kind)) ?? false;
  if (!parts || !isItem || value['type'] === 'function') return undefined;
  const role = parts[0]?.kind === 'tool_result' ? 'tool' : 'assistant';
  return { role, label: null, name: null, parts, rest: null };
}

const itemKinds = new Set<Part['kind']>(['tool_call', 'tool_result', 'reasoning'] satisfies (
  | Exclude<Part['kind'], TextPart['kind']>
  | 'reasoning'
)[]);
