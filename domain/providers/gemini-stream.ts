import type { StreamEvent } from './api.ts';
import { indexedParts } from './indexed-parts.ts';
import { field, isObject, type JsonObject, listOf, setMember } from './json-fields.ts';

interface Candidate {
  facts: Record<string, unknown>;
  content: Record<string, unknown>;
  parts: Record<string, unknown>[];
}

/** The response that the chunks form; null if none of them is a chunk. */
export function joinGeminiChunks(events: readonly StreamEvent[]): object | null {
  const outer: Record<string, unknown> = {};
  const head: Record<string, unknown> = {};
  const candidates = indexedParts<Candidate>(() => ({ facts: {}, content: {}, parts: [] }));
  let isWrapped = false;
  let isKnown = false;
  for (const { data } of events) {
    if (!isObject(data)) continue;
    const { response, ...rest } = data;
    if (isObject(response)) {
      isWrapped = true;
      setAll(outer, rest);
    }
    const { candidates: pieces, ...facts } = isObject(response) ? response : data;
    isKnown ||= Array.isArray(pieces) || ['promptFeedback', 'error'].some((name) => name in facts);
    setAll(head, facts);
    for (const piece of listOf(pieces))
      if (isObject(piece)) addCandidate(candidates.at(piece['index']), piece);
  }
  if (!isKnown) return null;
  const completeCandidates = candidates.all().map(completeCandidate);
  const response =
    completeCandidates.length > 0 ? { ...head, candidates: completeCandidates } : head;
  return isWrapped ? { ...outer, response } : response;
}

function setAll(target: object, facts: object): void {
  for (const [name, value] of Object.entries(facts)) setMember(target, name, value);
}

function addCandidate(candidate: Candidate, { content, ...facts }: JsonObject): void {
  setAll(candidate.facts, facts);
  if (!isObject(content)) return;
  const { parts, ...rest } = content;
  setAll(candidate.content, rest);
  for (const part of listOf(parts)) if (isObject(part)) addPart(candidate.parts, part);
}

const completeCandidate = ({ facts, content, parts }: Candidate): object => ({
  ...facts,
  content: { ...content, parts },
});

/** Merges the pieces of one text, thought or function call into one part. */
function addPart(parts: Record<string, unknown>[], part: JsonObject): void {
  const text = isText(part) ? continuedText(parts, isThought(part)) : undefined;
  if (text) {
    setAll(text, { ...part, text: `${text['text'] as string}${part['text'] as string}` });
    return;
  }
  const last = parts.at(-1);
  const call = field(last, 'functionCall');
  const more = part['functionCall'];
  if (isObject(call) && call['willContinue'] === true && isObject(more) && !('name' in more))
    continueCall(call, more);
  else parts.push(structuredClone(part));
}

const isText = (part: JsonObject): boolean => typeof part['text'] === 'string';
const isThought = (part: JsonObject): boolean => part['thought'] === true;

/** The text or thought that goes on. Between its pieces, a chunk may contain pieces of the other one. */
function continuedText(parts: Record<string, unknown>[], ofThought: boolean) {
  const lastOther = parts.findLastIndex((part) => !isText(part));
  return parts.slice(lastOther + 1).findLast((part) => isThought(part) === ofThought);
}

/** Argument values are streamed too: each piece has the path of its value. */
function continueCall(call: object, { partialArgs, ...rest }: JsonObject): void {
  setMember(call, 'willContinue', false);
  setAll(call, rest);
  const known = field(call, 'partialArgs');
  const args = Array.isArray(known) ? (known as unknown[]) : [];
  for (const piece of listOf(partialArgs)) addArgument(args, piece);
  setMember(call, 'partialArgs', args);
}

function addArgument(args: unknown[], piece: unknown): void {
  const last = args.at(-1);
  const before = field(last, 'stringValue');
  const text = field(piece, 'stringValue');
  const isMore =
    typeof before === 'string' &&
    typeof text === 'string' &&
    field(last, 'jsonPath') === field(piece, 'jsonPath');
  if (isMore) setAll(last as object, { ...(piece as object), stringValue: before + text });
  else args.push(structuredClone(piece));
}
