import type { Api, Description, StreamEvent } from './api.ts';
import type { ToolCall } from './exchange.ts';
import { field, hasSome, joinedOf, listOf, textOf } from './json-fields.ts';
import { lastUserText, namesOf, textOfContent, toolCall } from './messages.ts';
import { openAiTokens } from './openai-usage.ts';
import { responseJoiner } from './openai-response-events.ts';

/** OpenAI's Responses API, which Codex uses too. */
export const openAiResponses: Api = {
  id: 'openai-responses',
  provider: 'OpenAI-compatible',
  path: /\/responses(?:\/compact)?$/,
  isRequest: (request) => hasSome(request, 'input', 'model', 'prompt'),
  isResponse: (value) =>
    field(value, 'object') === 'response' || field(value, 'response', 'object') === 'response',
  joinStream,
  describe: ({ request }, response) => describeResponse(request, response),
};

function joinStream(events: readonly StreamEvent[]): object | null {
  const joiner = responseJoiner();
  let isKnown = false;
  for (const { data } of events) isKnown = joiner.add(data) || isKnown;
  return isKnown ? joiner.response() : null;
}

/** Describes one response; a realtime session has many. */
export function describeResponse(request: unknown, response: unknown): Description {
  const output = listOf(field(response, 'output'));
  return {
    operation: field(response, 'object') === 'response.compaction' ? 'other' : 'chat',
    model: textOf(field(response, 'model')) ?? textOf(field(request, 'model')),
    ...openAiTokens(field(response, 'usage')),
    prompt: lastUserText(field(request, 'input')),
    completion: joinedOf(output.map(textOfItem), '\n\n'),
    // The response repeats the tools, so they are available even if the request was truncated
    // before them.
    tools_offered: namesOf(
      field(request, 'tools') ?? field(response, 'tools'),
      'name',
      'server_label',
      'type',
    ),
    tools_called: output.flatMap(callOfItem),
    finish_reason:
      textOf(field(response, 'incomplete_details', 'reason')) ?? textOf(field(response, 'status')),
    response_id: textOf(field(response, 'id')),
    // The second is that of the Realtime API.
    error:
      textOf(field(response, 'error', 'message')) ??
      textOf(field(response, 'status_details', 'error', 'message')),
    conversation_id: conversationOf(request, response),
  };
}

function textOfItem(item: unknown): string | null {
  const isOutputMessage = field(item, 'type') === 'message' && field(item, 'role') !== 'user';
  if (!isOutputMessage) return null;
  const parts = listOf(field(item, 'content')).map(
    (part) =>
      textOfContent(part) ?? textOf(field(part, 'refusal')) ?? textOf(field(part, 'transcript')),
  );
  return joinedOf(parts, '');
}

/** Functions by name, OpenAI's own tools by type. */
function callOfItem(item: unknown): ToolCall[] {
  const kind = /^(.+)_call$/.exec(textOf(field(item, 'type')) ?? '')?.[1];
  if (kind === undefined) return [];
  const args = ['arguments', 'input', 'code', 'action', 'queries', 'operation']
    .map((name) => field(item, name))
    .find((value) => value !== undefined && value !== null);
  const name = textOf(field(item, 'name')) ?? kind;
  return [toolCall(name, args, field(item, 'call_id') ?? field(item, 'id'))];
}

/** Codex sends its session id as the key of the prompt cache, and no conversation id. */
const conversationOf = (request: unknown, response: unknown): string | null =>
  textOf(field(response, 'conversation', 'id')) ??
  textOf(field(request, 'conversation', 'id')) ??
  textOf(field(request, 'conversation')) ??
  textOf(field(response, 'conversation_id')) ??
  textOf(field(request, 'prompt_cache_key'));
