import { isObject, keptWithin, MAX_DEPTH, Members } from './json.ts';
import type { JsonObject } from './json.ts';
import { readMedia } from './media-parts.ts';
import { textPart } from './model.ts';
import type { Part, TextPart } from './model.ts';
import { readToolCall, readToolParts, readToolResult, typeOf } from './tool-parts.ts';
import type { ReadParts } from './tool-parts.ts';

/**
 * Reads the parts of a content: text, a part, or a list of parts, in any of the known formats.
 * Unknown values become data.
 */
export function readParts(value: unknown, depth = 0): Part[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return [textPart(value)];
  if (depth >= MAX_DEPTH) return [{ kind: 'data', value }];
  const inner: ReadParts = (value) => readParts(value, depth + 1);
  if (isObject(value)) return readPart(value, inner) ?? [{ kind: 'data', value }];
  return readList(value, inner);
}

/** Reads a list. A list without any known part becomes a single part. */
function readList(value: unknown, inner: ReadParts): Part[] {
  if (!Array.isArray(value)) return [{ kind: 'data', value }];
  const items = value.map((item: unknown) => {
    const isText = typeof item === 'string';
    return isText ? inner(item) : isObject(item) ? readPart(item, inner) : undefined;
  });
  if (items.every((parts) => parts === undefined)) return [{ kind: 'data', value }];
  return items.flatMap((parts, at) => parts ?? inner(value[at]));
}

/** Reads one part in a known format. */
export const readPart = (object: JsonObject, inner: ReadParts): Part[] | undefined =>
  readText(object) ??
  readReasoning(object, inner) ??
  readToolParts(object, inner) ??
  readWrapped(object, inner) ??
  listOf(readMedia(object));

const listOf = (part: Part | undefined): Part[] | undefined => part && [part];

const textTypes = new Set(['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text']);

function readText(object: JsonObject): Part[] | undefined {
  const type = typeOf(object);
  if (type === 'refusal' && typeof object['refusal'] === 'string')
    return textFrom(object, 'refusal');
  if (type === '') return typeof object['text'] === 'string' ? textFrom(object, 'text') : undefined;
  if (!textTypes.has(type)) return undefined;
  const name = ['text', 'content'].find((name) => typeof object[name] === 'string');
  return name === undefined ? undefined : textFrom(object, name);
}

/**
 * Reads a text part. Gemini marks thoughts with `thought: true`. A refusal keeps its type, to
 * distinguish it from text.
 */
function textFrom(object: JsonObject, name: string): Part[] {
  const members = new Members(object);
  const text = members.text(name) ?? '';
  if (name !== 'refusal') members.text('type');
  const kind = members.flag('thought') ? 'reasoning' : 'text';
  return [{ kind, text, rest: members.rest() }];
}

const reasoningTypes = new Set(['reasoning', 'thinking']);

function readReasoning(object: JsonObject, inner: ReadParts): Part[] | undefined {
  if (!reasoningTypes.has(typeOf(object))) return undefined;
  const members = new Members(object);
  members.text('type');
  const text = members.text('thinking', 'content', 'text', 'reasoning') ?? '';
  const parts = [...members.list('summary'), ...members.list('content')].flatMap(inner);
  const texts = [textPart(text), ...parts].filter(isText).map((part) => part.text);
  const joined = texts.filter((text) => text !== '').join('\n\n');
  const others = parts.filter((part) => !isText(part));
  return [{ kind: 'reasoning', text: joined, rest: members.rest() }, ...others];
}

/** Whether a part is text without other members. */
const isText = (part: Part): part is TextPart => part.kind === 'text' && part.rest === null;

type ReadWrapped = (object: JsonObject, inner: ReadParts) => Part[] | undefined;

const asCall: ReadWrapped = readToolCall;
const asResult: ReadWrapped = (object, inner) => [readToolResult(object, inner)];
const asReasoning: ReadWrapped = (object, inner) =>
  readText(object)?.map((part) => (part.kind === 'text' ? { ...part, kind: 'reasoning' } : part)) ??
  readWrapped(object, inner);

/** Readers for parts of Gemini, Bedrock and OpenInference, whose only member names their kind. */
const wrappers: Record<string, ReadWrapped> = {
  functionCall: asCall,
  function_call: asCall,
  functionResponse: asResult,
  function_response: asResult,
  toolUse: asCall,
  toolResult: asResult,
  tool_call: asCall,
  reasoningContent: asReasoning,
  reasoningText: asReasoning,
  message_content: (object, inner) => readPart(object, inner),
};

function readWrapped(object: JsonObject, inner: ReadParts): Part[] | undefined {
  const name = Object.keys(wrappers).find((name) => isObject(object[name]));
  if (name === undefined) return undefined;
  const members = new Members(object);
  const [first, ...others] = wrappers[name]?.(members.object(name) ?? {}, inner) ?? [];
  if (!first) return undefined;
  const rest = members.rest();
  if (!('rest' in first)) return rest ? undefined : [first, ...others];
  return [{ ...first, rest: rest ? keptWithin(rest, name, first.rest) : first.rest }, ...others];
}
