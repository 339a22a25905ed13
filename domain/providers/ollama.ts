import type { Api, Call, Description, StreamEvent } from './api.ts';
import { countOf, field, hasSome, isObject, listOf, setMember, textOf } from './json-fields.ts';
import { mergeDelta } from './merge-delta.ts';
import { lastUserText, namesOf, toolCall } from './messages.ts';

/** Ollama's own API, for chat and for completion. */
export const ollama: Api = {
  id: 'ollama',
  provider: 'Ollama',
  path: /\/api\/(?:chat|generate)$/,
  isRequest: (request) => hasSome(request, 'model') && hasSome(request, 'messages', 'prompt'),
  isResponse: (value) =>
    typeof field(value, 'done') === 'boolean' && typeof field(value, 'model') === 'string',
  joinStream,
  describe,
};

function joinStream(events: readonly StreamEvent[]): object | null {
  const chunks = events.map(({ data }) => data).filter(isObject);
  if (!chunks.some((chunk) => ollama.isResponse(chunk) || 'error' in chunk)) return null;
  const joined: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  const message = {};
  for (const { message: piece, ...facts } of chunks) {
    if (isObject(piece)) mergeDelta(message, piece);
    for (const [name, value] of Object.entries(facts))
      if (TEXTS.has(name) && typeof value === 'string') texts[name] = (texts[name] ?? '') + value;
      else setMember(joined, name, value);
  }
  return { ...joined, ...texts, ...(Object.keys(message).length > 0 && { message }) };
}

/** The streamed texts of `/api/generate`. */
const TEXTS: ReadonlySet<string> = new Set(['response', 'thinking']);

function describe({ request, path }: Call, response: unknown): Description {
  const calls = listOf(field(response, 'message', 'tool_calls'));
  return {
    operation: path.endsWith('/generate') ? 'completion' : 'chat',
    model: textOf(field(response, 'model')) ?? textOf(field(request, 'model')),
    tokens_in: countOf(field(response, 'prompt_eval_count')),
    tokens_out: countOf(field(response, 'eval_count')),
    prompt: lastUserText(field(request, 'messages')) ?? textOf(field(request, 'prompt')),
    completion:
      textOf(field(response, 'message', 'content')) ?? textOf(field(response, 'response')),
    tools_offered: namesOf(field(request, 'tools'), 'function.name'),
    tools_called: calls.map((call) => {
      const used = field(call, 'function');
      return toolCall(field(used, 'name'), field(used, 'arguments'), field(call, 'id'));
    }),
    finish_reason: textOf(field(response, 'done_reason')),
  };
}
