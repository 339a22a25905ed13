import type { Api, Call, Description, StreamEvent } from './api.ts';
import { field, isObject, joinedOf, listOf, textOf } from './json-fields.ts';
import { joinPatches } from './json-patches.ts';
import { textOfContent, toolCall } from './messages.ts';

/** The ChatGPT app, on the web and elsewhere. */
export const chatGpt: Api = {
  id: 'chatgpt',
  provider: 'OpenAI',
  host: /(?:^|\.)(?:chatgpt\.com|chat\.openai\.com)$/,
  path: /\/backend-(?:api|anon)\/(?:f\/)?conversation$/,
  isRequest: (request) => field(request, 'messages', 0, 'author') !== undefined,
  isResponse: (value) =>
    field(value, 'messages', 0, 'author') !== undefined ||
    field(value, 'v', 'message', 'author') !== undefined ||
    field(value, 'message', 'author') !== undefined,
  joinStream,
  describe,
};

/** The messages of the stream in order, and its metadata of the conversation. */
function joinStream(events: readonly StreamEvent[]): object | null {
  const { documents, others } = joinPatches(events);
  const messages = new Map<unknown, unknown>();
  const facts: Record<string, unknown> = {};
  const keep = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null) facts[name] = value;
  };
  const addMessage = (message: unknown): void => {
    if (isObject(field(message, 'author'))) messages.set(field(message, 'id'), message);
  };
  for (const data of [...others.map((event) => event.data), ...documents]) {
    keep('conversation_id', field(data, 'conversation_id'));
    keep('title', field(data, 'title'));
    keep('model', field(data, 'metadata', 'model_slug'));
    keep('error', field(data, 'error'));
    addMessage(field(data, 'input_message'));
    addMessage(field(data, 'message'));
  }
  if (messages.size === 0 && facts['error'] === undefined) return null;
  return { ...facts, messages: [...messages.values()] };
}

function describe({ request }: Call, response: unknown): Description {
  const assistantMessages = listOf(field(response, 'messages')).filter(
    (message) => roleOf(message) === 'assistant',
  );
  const userFacing = assistantMessages.filter(isForUser);
  const slugs = assistantMessages.map((message) =>
    textOf(field(message, 'metadata', 'model_slug')),
  );
  return {
    operation: 'chat',
    model:
      slugs.findLast((slug) => slug !== null) ??
      textOf(field(response, 'model')) ??
      textOf(field(request, 'model')),
    prompt: promptOf(request),
    completion: joinedOf(userFacing.map(textOfMessage), '\n\n'),
    tools_called: assistantMessages
      .filter((message) => isForTool(message))
      .map((message) =>
        toolCall(field(message, 'recipient'), textOfMessage(message), field(message, 'id')),
      ),
    finish_reason: textOf(field(userFacing.at(-1), 'metadata', 'finish_details', 'type')),
    response_id: textOf(field(userFacing.at(-1), 'id')),
    conversation_id:
      textOf(field(response, 'conversation_id')) ?? textOf(field(request, 'conversation_id')),
  };
}

const roleOf = (message: unknown): unknown => field(message, 'author', 'role');

function promptOf(request: unknown): string | null {
  const messages = listOf(field(request, 'messages'));
  return textOfMessage(messages.findLast((message) => roleOf(message) === 'user'));
}

const textOfMessage = (message: unknown): string | null =>
  textOfContent(field(message, 'content', 'parts')) ?? textOf(field(message, 'content', 'text'));

const recipientOf = (message: unknown): string => textOf(field(message, 'recipient')) ?? 'all';

const isForTool = (message: unknown): boolean => recipientOf(message) !== 'all';

/** Thoughts have their own content types or channel. */
const isForUser = (message: unknown): boolean =>
  !isForTool(message) &&
  ['text', 'multimodal_text', undefined].includes(
    field(message, 'content', 'content_type') as string | undefined,
  ) &&
  field(message, 'channel') !== 'analysis';
