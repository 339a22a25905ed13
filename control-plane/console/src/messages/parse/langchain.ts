import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';

interface LangChainMessage {
  /** The message with a `role` instead of LangChain's type. */
  object: JsonObject;
  label: string | null;
}

const types: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

/**
 * Reads messages of LangChain: serialised constructors, stored messages, and plain ones with a
 * `type`.
 */
export function readLangChain(value: JsonObject): LangChainMessage | undefined {
  return readConstructor(value) ?? readStored(value);
}

/**
 * Reads `{"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "HumanMessage"],
 * "kwargs": …}`.
 */
function readConstructor({ lc, type, id, kwargs, ...rest }: JsonObject) {
  if (typeof lc !== 'number' || type !== 'constructor' || !isObject(kwargs)) return undefined;
  const path = Array.isArray(id) ? (id as unknown[]) : [];
  const name = path.at(-1);
  const role = typeof name === 'string' ? roleOfClass(name) : undefined;
  if (typeof name !== 'string' || role === undefined || 'role' in kwargs) return undefined;
  const place = path.slice(0, -1).filter((step) => !isPackage(step));
  const kept = { ...rest, ...(place.length > 0 && { id: place }) };
  const serialised = Object.keys(kept).length > 0 ? { serialised: kept } : {};
  return { object: { ...serialised, ...withoutType(kwargs), role }, label: name };
}

const packages = new Set<unknown>(['langchain', 'langchain_core', 'schema', 'messages']);
const isPackage = (step: unknown): boolean => packages.has(step);

const className = /^(Human|AI|System|Tool|Function|Chat|Developer)Message(Chunk)?$/;

function roleOfClass(name: string): string | undefined {
  const kind = className.exec(name)?.[1]?.toLowerCase();
  if (kind === undefined) return undefined;
  return types[kind] ?? 'assistant';
}

/** Reads `{"type": "human", "data": {"content": …}}` or `{"type": "human", "content": …}`. */
function readStored(value: JsonObject): LangChainMessage | undefined {
  const { type, data, ...rest } = value;
  if (typeof type !== 'string' || !Object.hasOwn(types, type) || 'role' in value) return undefined;
  const role = types[type];
  const label = type === role ? null : type;
  if (isObject(data) && 'content' in data && !('role' in data)) {
    const outer = Object.keys(rest).length > 0 ? { stored: rest } : {};
    return { object: { ...outer, ...withoutType(data), role }, label };
  }
  if (data !== undefined || !('content' in rest)) return undefined;
  return { object: { ...rest, role }, label };
}

/** Removes the type of a message if the role says the same. */
function withoutType(kwargs: JsonObject): JsonObject {
  const { type, ...others } = kwargs;
  return typeof type === 'string' && Object.hasOwn(types, type) ? others : kwargs;
}
