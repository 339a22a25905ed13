import type { Api, Call, Description, StreamEvent } from './api.ts';
import { joinMessageEvents } from './anthropic-stream.ts';
import type { LlmExchange } from './exchange.ts';
import {
  countOf,
  field,
  hasSome,
  isObject,
  joinedOf,
  listOf,
  sumOf,
  textOf,
} from './json-fields.ts';
import { lastUserText, namesOf, toolCall } from './messages.ts';
import { parseJson } from './parse-json.ts';

/** Anthropic's Messages API: on its own hosts, behind gateways, on Vertex AI and on Azure. */
export const anthropicMessages: Api = {
  id: 'anthropic-messages',
  provider: 'Anthropic',
  path: /\/v1\/messages$|\/publishers\/anthropic\/models\/[^/:]+:(?:streamR|r)awPredict$/,
  isRequest: (request) => hasSome(request, 'messages', 'model'),
  isResponse: (value) =>
    field(value, 'type') === 'message_start' ||
    (field(value, 'type') === 'message' && Array.isArray(field(value, 'content'))),
  joinStream: (events: readonly StreamEvent[]) => joinMessageEvents(events),
  describe: describeMessage,
};

export function describeMessage({ request, path }: Call, response: unknown): Description {
  const blocks = listOf(field(response, 'content'));
  const userId = textOf(field(request, 'metadata', 'user_id'));
  return {
    operation: 'chat',
    model:
      textOf(field(response, 'model')) ??
      textOf(field(request, 'model')) ??
      textOf(/\/models\/([^/:]+):/.exec(path)?.[1]),
    ...anthropicTokens(field(response, 'usage')),
    prompt: lastUserText(field(request, 'messages')),
    completion: joinedOf(blocks.map(textOfBlock), ''),
    tools_offered: namesOf(field(request, 'tools'), 'name', 'type'),
    tools_called: blocks
      .filter((block) => /(?:^|_)tool_use$/.test(textOf(field(block, 'type')) ?? ''))
      .map((block) => toolCall(field(block, 'name'), field(block, 'input'), field(block, 'id'))),
    finish_reason: textOf(field(response, 'stop_reason')),
    response_id: textOf(field(response, 'id')),
    ...userAndSession(userId),
  };
}

const textOfBlock = (block: unknown): string | null =>
  field(block, 'type') === 'text' ? textOf(field(block, 'text')) : null;

/** Anthropic's count of input tokens excludes cached ones. */
export function anthropicTokens(usage: unknown): Partial<LlmExchange> {
  const cached = countOf(field(usage, 'cache_read_input_tokens'));
  const written = countOf(field(usage, 'cache_creation_input_tokens'));
  return {
    tokens_in: sumOf(countOf(field(usage, 'input_tokens')), cached, written),
    tokens_out: countOf(field(usage, 'output_tokens')),
    tokens_cached: cached,
    tokens_cache_written: written,
    tokens_reasoning: countOf(field(usage, 'output_tokens_details', 'thinking_tokens')),
  };
}

const WITH_SESSION = /^(.+?)_session_([\w-]+)$/;

/** Claude Code puts its session into the user id: as JSON, in older versions as a suffix. */
function userAndSession(userId: string | null): Partial<LlmExchange> {
  if (userId === null) return {};
  const ids = parseJson(userId);
  if (isObject(ids))
    return {
      user: textOf(ids['account_uuid']) ?? textOf(ids['device_id']),
      conversation_id: textOf(ids['session_id']),
    };
  const [, user, session] = WITH_SESSION.exec(userId) ?? [];
  return { user: user ?? userId, ...(session && { conversation_id: session }) };
}
