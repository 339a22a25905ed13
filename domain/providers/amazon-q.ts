import type { Api, Call, Description, StreamEvent } from './api.ts';
import { field, isObject, listOf, setMember, textOf } from './json-fields.ts';
import { joinByPath } from './join-by-path.ts';
import { namesOf, toolCall } from './messages.ts';
import { parseTruncatedJson } from './parse-json.ts';

/** Amazon Q Developer (formerly CodeWhisperer) and Kiro. */
export const amazonQ: Api = {
  id: 'amazon-q',
  provider: 'Amazon',
  host: /^(?:q|codewhisperer)\.[a-z0-9-]+\.amazonaws\.com$/,
  path: /^\/(?:generateAssistantResponse|SendMessageStreaming)?$/,
  isRequest: (request) => isObject(field(request, 'conversationState')),
  isResponse: (value) => isObject(field(value, 'assistantResponseEvent')),
  joinStream,
  describe,
};

/** Joins the events of a stream, and keeps the inputs of different tools apart. */
function joinStream(events: readonly StreamEvent[]): object | null {
  const uses = new Map<unknown, Record<string, unknown>>();
  for (const { name, data } of events) {
    if (name !== 'toolUseEvent' || !isObject(data)) continue;
    const use = uses.get(data['toolUseId']) ?? { input: '' };
    uses.set(data['toolUseId'], use);
    const { input, ...facts } = data;
    for (const [member, value] of Object.entries(facts)) setMember(use, member, value);
    if (typeof input === 'string') use['input'] = `${use['input'] as string}${input}`;
  }
  const others = events.filter(({ name }) => name !== 'toolUseEvent');
  // Each kind is a member of the result, even if there is only one.
  const joined = joinByPath(
    others.map(({ name, data }) => ({ name: null, data: { [name ?? '']: data } })),
  );
  if (uses.size === 0) return joined;
  return { ...joined, toolUseEvents: [...uses.values()].map(completeToolUse) };
}

const completeToolUse = (use: Record<string, unknown>): object => ({
  ...use,
  input: parseTruncatedJson(use['input'] as string) ?? use['input'],
});

function describe({ request }: Call, response: unknown): Description {
  const state = field(request, 'conversationState');
  const message = field(state, 'currentMessage', 'userInputMessage');
  const uses = field(response, 'toolUseEvents');
  return {
    operation: 'chat',
    model:
      textOf(field(response, 'assistantResponseEvent', 'modelId')) ??
      textOf(field(message, 'modelId')),
    prompt: textOf(field(message, 'content')),
    completion: textOf(field(response, 'assistantResponseEvent', 'content')),
    tools_offered: namesOf(
      field(message, 'userInputMessageContext', 'tools'),
      'toolSpecification.name',
    ),
    tools_called: listOf(uses).map((use) =>
      toolCall(field(use, 'name'), field(use, 'input'), field(use, 'toolUseId')),
    ),
    conversation_id: textOf(field(state, 'conversationId')),
  };
}
