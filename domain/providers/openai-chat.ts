import type { Api, Call, Description, StreamEvent } from './api.ts';
import type { ToolCall } from './exchange.ts';
import { indexedParts } from './indexed-parts.ts';
import { field, hasSome, isObject, joinedOf, listOf, setMember, textOf } from './json-fields.ts';
import { mergeDelta } from './merge-delta.ts';
import { lastUserText, namesOf, textOfContent, toolCall } from './messages.ts';
import { openAiTokens } from './openai-usage.ts';
import { mergeContentChunks } from './openai-content-chunks.ts';

/** Chat completions of OpenAI and of compatible APIs. */
export const openAiChat: Api = {
  id: 'openai-chat',
  provider: 'OpenAI-compatible',
  path: /\/chat\/completions$|\/fim\/completions$/,
  isRequest: (request) => hasSome(request, 'messages', 'model', 'prompt'),
  isResponse: (value) => {
    const object = field(value, 'object');
    if (object === 'chat.completion' || object === 'chat.completion.chunk') return true;
    const choice = field(value, 'choices', 0);
    return isObject(field(choice, 'message')) || isObject(field(choice, 'delta'));
  },
  joinStream: joinChunks,
  describe: describeChat,
};

interface Choice {
  index: number;
  message: object;
  addCalls: (calls: unknown) => void;
  rest: object;
}

function joinChunks(events: readonly StreamEvent[]): object | null {
  const head: Record<string, unknown> = {};
  const choices = indexedParts<Choice>(newChoice);
  let isKnown = false;
  for (const { data } of events) {
    if (!isObject(data)) continue;
    const { choices: pieces, obfuscation: _, ...rest } = data;
    isKnown ||= Array.isArray(pieces) || 'error' in data;
    addFacts(head, rest);
    for (const piece of listOf(pieces))
      if (isObject(piece)) addPiece(choices.at(piece['index']), piece);
  }
  if (!isKnown) return null;
  const { object, error } = head;
  if (error !== undefined && choices.all().length === 0) return head;
  return {
    ...head,
    ...(object === 'chat.completion.chunk' && { object: 'chat.completion' }),
    choices: choices.all().map(completeChoice),
  };
}

function newChoice(): Choice {
  const message = {};
  return { index: 0, message, addCalls: toolCallMerger(message), rest: {} };
}

/**
 * An empty member does not replace an earlier value: Azure omits the model in the first chunk,
 * other servers omit the id.
 */
function addFacts(facts: object, added: object): void {
  for (const [name, value] of Object.entries(added)) {
    const isEmpty = value === null || value === undefined || value === '';
    if (!isEmpty || !Object.hasOwn(facts, name)) setMember(facts, name, value);
  }
}

function addPiece(choice: Choice, piece: { readonly [name: string]: unknown }): void {
  const { index, delta, message, ...rest } = piece;
  if (typeof index === 'number') choice.index = index;
  addFacts(choice.rest, rest);
  if (isObject(delta)) addDelta(choice, delta);
  else if (isObject(message)) choice.message = structuredClone(message);
}

function addDelta(choice: Choice, delta: { readonly [name: string]: unknown }): void {
  const { tool_calls: calls, content, ...rest } = delta;
  if ('content' in delta) mergeContentChunks(choice.message, content);
  mergeDelta(choice.message, rest);
  choice.addCalls(calls);
}

const completeChoice = ({ index, message, rest }: Choice): object => ({
  index,
  finish_reason: null,
  ...rest,
  message: { content: null, ...message },
});

function describeChat({ request }: Call, response: unknown): Description {
  const messages = listOf(field(response, 'choices')).map((choice) => field(choice, 'message'));
  return {
    operation: 'chat',
    model: textOf(field(response, 'model')) ?? textOf(field(request, 'model')),
    // Groq reports the usage of a stream in `x_groq`.
    ...openAiTokens(field(response, 'usage') ?? field(response, 'x_groq', 'usage')),
    prompt: lastUserText(field(request, 'messages')) ?? textOf(field(request, 'prompt')),
    completion: joinedOf(messages.map(textOfMessage), '\n\n'),
    tools_offered: [
      ...namesOf(field(request, 'tools'), 'function.name', 'custom.name', 'type'),
      ...namesOf(field(request, 'functions'), 'name'),
    ],
    tools_called: messages.flatMap(callsOf),
    finish_reason: textOf(field(response, 'choices', 0, 'finish_reason')),
    response_id: textOf(field(response, 'id')),
  };
}

const textOfMessage = (message: unknown): string | null =>
  textOfContent(field(message, 'content'), '') ??
  textOf(field(message, 'refusal')) ??
  textOf(field(message, 'audio', 'transcript'));

function callsOf(message: unknown): ToolCall[] {
  const legacy = field(message, 'function_call');
  const calls = listOf(field(message, 'tool_calls')).map((call) => {
    const used = field(call, 'function') ?? field(call, 'custom');
    const args = field(used, 'arguments') ?? field(used, 'input');
    return toolCall(field(used, 'name'), args, field(call, 'id'));
  });
  if (!isObject(legacy)) return calls;
  return [...calls, toolCall(legacy['name'], legacy['arguments'], null)];
}

/**
 * Merges the tool calls of deltas into a message, by index. Google's compatible API gives parallel
 * calls the same index, so a different id starts another call.
 */
function toolCallMerger(message: object): (calls: unknown) => void {
  const calls: object[] = [];
  const latest = new Map<unknown, object>();
  return (added) => {
    for (const piece of listOf(added)) {
      if (!isObject(piece)) continue;
      const { index, ...rest } = piece;
      const known = index === undefined ? calls.at(-1) : latest.get(index);
      const call = known && !startsNewCall(known, rest) ? known : {};
      if (call !== known) calls.push(call);
      latest.set(index, call);
      setMember(message, 'tool_calls', calls);
      mergeDelta(call, rest);
    }
  };
}

function startsNewCall(known: object, piece: { readonly [name: string]: unknown }): boolean {
  const id = textOf((known as { id?: unknown }).id);
  const added = textOf(piece['id']);
  return id !== null && added !== null && id !== added;
}
