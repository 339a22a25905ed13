import type { Api, Call, Description, StreamEvent } from './api.ts';
import { indexedParts } from './indexed-parts.ts';
import { field, hasSome, isObject, joinedOf, listOf, setMember, textOf } from './json-fields.ts';
import { textOfContent } from './messages.ts';
import { openAiTokens } from './openai-usage.ts';

/** OpenAI's oldest API, text completion, which editors still use. */
export const openAiCompletions: Api = {
  id: 'openai-completions',
  provider: 'OpenAI-compatible',
  path: /(?<!\/chat|\/fim)\/completions$/,
  isRequest: (request) => hasSome(request, 'prompt'),
  isResponse: (value) =>
    field(value, 'object') === 'text_completion' ||
    typeof field(value, 'choices', 0, 'text') === 'string',
  joinStream,
  describe: (call, response) => describe(call, response),
};

function joinStream(events: readonly StreamEvent[]): object | null {
  const head: Record<string, unknown> = {};
  const choices = indexedParts<{ text: string }>(() => ({ text: '' }));
  let isKnown = false;
  for (const { data } of events) {
    if (!isObject(data)) continue;
    const { choices: pieces, ...rest } = data;
    isKnown ||= Array.isArray(pieces) || 'error' in data;
    setKnown(head, rest);
    for (const piece of listOf(pieces)) {
      if (!isObject(piece)) continue;
      const choice = choices.at(piece['index']);
      const { text, ...facts } = piece;
      setKnown(choice, facts);
      if (typeof text === 'string') choice.text += text;
    }
  }
  if (!isKnown) return null;
  return choices.all().length > 0 ? { ...head, choices: choices.all() } : head;
}

function setKnown(target: object, facts: object): void {
  for (const [name, value] of Object.entries(facts))
    if (value !== null || !Object.hasOwn(target, name)) setMember(target, name, value);
}

const describe = ({ request, path }: Call, response: unknown): Description => ({
  operation: 'completion',
  model:
    textOf(field(response, 'model')) ??
    textOf(field(request, 'model')) ??
    // Copilot's completions name the model only in the path.
    textOf(/\/engines\/([^/]+)\//.exec(path)?.[1]),
  ...openAiTokens(field(response, 'usage')),
  prompt: textOfContent(field(request, 'prompt')),
  completion: joinedOf(
    listOf(field(response, 'choices')).map((choice) => textOf(field(choice, 'text'))),
    '\n\n',
  ),
  finish_reason: textOf(field(response, 'choices', 0, 'finish_reason')),
  response_id: textOf(field(response, 'id')),
});
