import type { Api, Call, Description, StreamEvent } from './api.ts';
import type { LlmExchange } from './exchange.ts';
import { indexedParts } from './indexed-parts.ts';
import {
  countOf,
  field,
  isObject,
  joinedOf,
  listOf,
  setMember,
  sumOf,
  textOf,
} from './json-fields.ts';
import { mergeDelta } from './merge-delta.ts';
import { lastUserText, namesOf, toolCall } from './messages.ts';
import { parseTruncatedJson } from './parse-json.ts';

/** The model's id, or an inference profile's id or ARN, as in `/model/{id}/converse`. */
export function modelInPath(path: string): string | null {
  const [, id] = /\/model\/([^/]+)\//.exec(path) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Bedrock's own API, for all of its models. */
export const bedrockConverse: Api = {
  id: 'bedrock-converse',
  provider: 'Amazon',
  path: /\/model\/[^/]+\/converse(?:-stream)?$/,
  isRequest: (request) => isObject(request),
  isResponse: (value) => isObject(field(value, 'output', 'message')),
  joinStream: joinConverseEvents,
  describe: describeConverse,
};

/** Nova streams the same events over InvokeModel, with the event name as a member. */
export const novaEvent = ({ data }: StreamEvent): StreamEvent | undefined => {
  const name = isObject(data)
    ? Object.keys(data).find((member) => eventNames.has(member))
    : undefined;
  return name === undefined ? undefined : { name, data: field(data, name) };
};

const eventNames: ReadonlySet<string> = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
]);

export function joinConverseEvents(events: readonly StreamEvent[]): object | null {
  const head: Record<string, unknown> = {};
  const message: Record<string, unknown> = {};
  const blocks = indexedParts<object>(() => ({}));
  let isKnown = false;
  for (const { name, data } of events) {
    if (!isObject(data)) continue;
    if (name === null || !eventNames.has(name)) {
      // All other events are exceptions.
      if (name?.endsWith('Exception')) head['error'] = { type: name, message: data['message'] };
      continue;
    }
    isKnown = true;
    // `p` is padding that hides the event's length.
    const { p: _, contentBlockIndex: index, ...facts } = data;
    if (name === 'messageStart') setMember(message, 'role', facts['role']);
    else if (name === 'contentBlockStart') addToBlock(blocks.at(index), facts['start']);
    else if (name === 'contentBlockDelta') addToBlock(blocks.at(index), facts['delta']);
    else mergeDelta(head, facts);
  }
  if (!isKnown) return head['error'] === undefined ? null : head;
  message['content'] = blocks.all().map(completeBlock);
  return { ...head, output: { message } };
}

/** A delta of reasoning lacks the `reasoningText` wrapper of the complete block. */
function addToBlock(block: object, delta: unknown): void {
  if (!isObject(delta)) return;
  const { reasoningContent: reasoning, ...rest } = delta;
  mergeDelta(block, rest);
  if (!isObject(reasoning)) return;
  const { redactedContent, ...text } = reasoning;
  const content = redactedContent === undefined ? { reasoningText: text } : { redactedContent };
  mergeDelta(block, { reasoningContent: content });
}

function completeBlock(block: object): object {
  const input = field(block, 'toolUse', 'input');
  if (typeof input !== 'string') return block;
  const parsed = parseTruncatedJson(input) ?? input;
  return { ...block, toolUse: { ...(field(block, 'toolUse') as object), input: parsed } };
}

export function describeConverse({ request, path }: Call, response: unknown): Description {
  const content = listOf(field(response, 'output', 'message', 'content'));
  return {
    operation: 'chat',
    model: modelInPath(path),
    ...converseTokens(field(response, 'usage')),
    prompt: lastUserText(field(request, 'messages')),
    completion: joinedOf(
      content.map((block) => textOf(field(block, 'text'))),
      '',
    ),
    tools_offered: namesOf(
      field(request, 'toolConfig', 'tools'),
      'toolSpec.name',
      'systemTool.name',
    ),
    tools_called: content.flatMap((block) => {
      const use = field(block, 'toolUse');
      if (use === undefined) return [];
      return [toolCall(field(use, 'name'), field(use, 'input'), field(use, 'toolUseId'))];
    }),
    finish_reason: textOf(field(response, 'stopReason')),
  };
}

/** Bedrock's count of input tokens excludes cached ones. */
function converseTokens(usage: unknown): Partial<LlmExchange> {
  const cached = countOf(field(usage, 'cacheReadInputTokens'));
  const written = countOf(field(usage, 'cacheWriteInputTokens'));
  return {
    tokens_in: sumOf(countOf(field(usage, 'inputTokens')), cached, written),
    tokens_out: countOf(field(usage, 'outputTokens')),
    tokens_cached: cached,
    tokens_cache_written: written,
  };
}
