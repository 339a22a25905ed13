import { anthropicMessages, describeMessage } from './anthropic-messages.ts';
import type { Api, Call, Description, StreamEvent } from './api.ts';
import { field, hasSome, isObject, setMember, textOf } from './json-fields.ts';
import { namesOf } from './messages.ts';

/** The Claude app: its own requests, and the events of the Messages API. */
export const claudeAi: Api = {
  id: 'claude-ai',
  provider: 'Anthropic',
  host: /(?:^|\.)claude\.ai$/,
  path: /\/chat_conversations\/[^/]+\/(?:retry_)?completion$/,
  isRequest: (request) => hasSome(request, 'prompt'),
  isResponse: (value) =>
    anthropicMessages.isResponse(value) || field(value, 'type') === 'completion',
  joinStream,
  describe: (call, response) => describe(call, response),
};

function joinStream(events: readonly StreamEvent[]): object | null {
  return anthropicMessages.joinStream(events) ?? joinCompletions(events);
}

/** The older stream format, still in use for some clients: each event has the next words. */
function joinCompletions(events: readonly StreamEvent[]): object | null {
  const joined: Record<string, unknown> = {};
  let completion = '';
  for (const { data } of events) {
    if (!isObject(data) || data['type'] !== 'completion') continue;
    for (const [name, value] of Object.entries(data)) setMember(joined, name, value);
    completion += textOf(data['completion']) ?? '';
  }
  return 'type' in joined ? { ...joined, completion } : null;
}

const describe = (call: Call, response: unknown): Description => ({
  ...describeMessage(call, response),
  ...(field(response, 'type') === 'completion' && {
    completion: textOf(field(response, 'completion')),
  }),
  prompt: textOf(field(call.request, 'prompt')),
  tools_offered: namesOf(field(call.request, 'tools'), 'name', 'type'),
  conversation_id: textOf(/\/chat_conversations\/([^/]+)\//.exec(call.path)?.[1]),
});
