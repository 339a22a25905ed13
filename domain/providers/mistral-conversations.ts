import type { Api, Call, Description, StreamEvent } from './api.ts';
import type { ToolCall } from './exchange.ts';
import { indexedParts } from './indexed-parts.ts';
import {
  countOf,
  field,
  hasSome,
  isObject,
  joinedOf,
  type JsonObject,
  listOf,
  setMember,
  sumOf,
  textOf,
} from './json-fields.ts';
import { lastUserText, namesOf, textOfContent, toolCall } from './messages.ts';
import { mergeContentChunks } from './openai-content-chunks.ts';
import { openAiTokens } from './openai-usage.ts';

/**
 * Mistral's Conversations API: to start, continue or restart a conversation with a model or agent.
 *
 * Source: https://docs.mistral.ai/api/endpoint/beta/conversations
 */
export const mistralConversations: Api = {
  id: 'mistral-conversations',
  provider: 'Mistral',
  path: /\/v1\/conversations(?:\/[^/]+(?:\/restart)?)?$/,
  isRequest: (request) => hasSome(request, 'inputs'),
  isResponse: (value) =>
    field(value, 'object') === 'conversation.response' ||
    /^conversation\.response\.(?:started|done|error)$/.test(textOf(field(value, 'type')) ?? ''),
  joinStream,
  describe,
};

/** The output that the events of a kind build. */
const outputTypes: readonly (readonly [prefix: string, type: string])[] = [
  ['message.output.', 'message.output'],
  ['function.call.', 'function.call'],
  ['tool.execution.', 'tool.execution'],
  ['agent.handoff.', 'agent.handoff'],
];

function joinStream(events: readonly StreamEvent[]): object | null {
  const head: Record<string, unknown> = { object: 'conversation.response' };
  const outputs = indexedParts<object>(() => ({}));
  let isKnown = false;
  for (const { data } of events) {
    const kind = textOf(field(data, 'type'));
    if (!isObject(data) || kind === null) continue;
    const type = outputTypes.find(([prefix]) => kind.startsWith(prefix))?.[1];
    isKnown ||= type !== undefined || mistralConversations.isResponse(data);
    if (type !== undefined) addOutput(outputs.at(data['output_index']), type, data);
    else if (kind === 'conversation.response.error')
      head['error'] = { message: data['message'], code: data['code'] };
    else
      for (const name of ['conversation_id', 'usage'])
        if (Object.hasOwn(data, name)) head[name] = data[name];
  }
  return isKnown ? { ...head, outputs: outputs.all() } : null;
}

function addOutput(output: object, type: string, event: JsonObject): void {
  const { output_index: _, content_index: __, content, arguments: args, ...facts } = event;
  for (const [name, value] of Object.entries(facts)) setMember(output, name, value);
  setMember(output, 'type', type);
  if (content !== undefined) mergeContentChunks(output, isObject(content) ? [content] : content);
  if (typeof args !== 'string') return;
  const known = field(output, 'arguments');
  setMember(output, 'arguments', typeof known === 'string' ? known + args : args);
}

function describe({ request }: Call, response: unknown): Description {
  const outputs = listOf(field(response, 'outputs'));
  const usage = field(response, 'usage');
  const tokens = openAiTokens(usage);
  const model = outputs.map((output) => textOf(field(output, 'model'))).findLast(Boolean);
  return {
    operation: 'chat',
    model: model ?? textOf(field(request, 'model')),
    ...tokens,
    // What the tools of Mistral return to the model is counted in addition to the prompt.
    tokens_in: sumOf(tokens.tokens_in, countOf(field(usage, 'connector_tokens'))),
    prompt: lastUserText(field(request, 'inputs')),
    completion: joinedOf(
      outputs.map((output) =>
        field(output, 'type') === 'message.output'
          ? textOfContent(field(output, 'content'), '')
          : null,
      ),
      '\n\n',
    ),
    tools_offered: namesOf(field(request, 'tools'), 'function.name', 'type'),
    tools_called: outputs.flatMap(callOf),
    conversation_id: textOf(field(response, 'conversation_id')),
  };
}

function callOf(output: unknown): ToolCall[] {
  const type = field(output, 'type');
  if (type !== 'function.call' && type !== 'tool.execution') return [];
  const id = field(output, 'tool_call_id') ?? field(output, 'id');
  return [toolCall(field(output, 'name'), field(output, 'arguments'), id)];
}
