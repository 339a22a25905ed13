import type { Api, Call, Description, StreamEvent } from './api.ts';
import { joinGeminiChunks } from './gemini-stream.ts';
import { countOf, field, joinedOf, listOf, sumOf, textOf } from './json-fields.ts';
import { lastUserText, toolCall } from './messages.ts';

/**
 * Google's generateContent: the Gemini API, Vertex AI, and Code Assist, which wraps both bodies.
 */
export const gemini: Api = {
  id: 'gemini',
  provider: 'Google',
  // The last alternative is the Live API, over a WebSocket.
  path: /(?::(?:g|streamG)enerateContent|\.BidiGenerateContent(?:Constrained)?)$/,
  isRequest: (request) =>
    bodyOf(request, 'request', 'contents') !== request || hasContents(request),
  isResponse: (value) => hasResponse(value) || hasResponse(field(value, 'response')),
  joinStream: (events: readonly StreamEvent[]) => joinGeminiChunks(events),
  describe,
};

const hasContents = (request: unknown): boolean => field(request, 'contents') !== undefined;

const hasResponse = (value: unknown): boolean =>
  Array.isArray(field(value, 'candidates')) || field(value, 'promptFeedback') !== undefined;

/** The body that Code Assist wraps, or the body itself. */
const bodyOf = (body: unknown, wrapper: string, member: string): unknown =>
  field(body, wrapper, member) === undefined ? body : field(body, wrapper);

function describe({ request: outer, path }: Call, body: unknown): Description {
  const request = bodyOf(outer, 'request', 'contents');
  const response = hasResponse(field(body, 'response')) ? field(body, 'response') : body;
  const candidates = listOf(field(response, 'candidates'));
  const partsOf = candidates.map((candidate) => listOf(field(candidate, 'content', 'parts')));
  const parts = partsOf.flat();
  return {
    operation: 'chat',
    model:
      textOf(field(response, 'modelVersion')) ??
      modelNamed(textOf(field(outer, 'model'))) ??
      textOf(/\/([^/:]+):[^/:]+$/.exec(path)?.[1]),
    ...geminiTokens(field(response, 'usageMetadata')),
    prompt:
      lastUserText(field(request, 'contents'), 'parts') ??
      transcripts(candidates, 'inputTranscription').at(-1) ??
      null,
    completion:
      joinedOf(
        partsOf.map((some) => joinedOf(some.map(visibleText), '')),
        '\n\n',
      ) ?? joinedOf(transcripts(candidates, 'outputTranscription'), '\n\n'),
    tools_offered: listOf(field(request, 'tools')).flatMap(toolNames),
    tools_called: parts.flatMap((part) => {
      const call = field(part, 'functionCall');
      if (call === undefined) return [];
      const args = field(call, 'args') ?? field(call, 'partialArgs');
      return [toolCall(field(call, 'name'), args, field(call, 'id'))];
    }),
    finish_reason:
      textOf(field(candidates[0], 'finishReason')) ??
      textOf(field(response, 'promptFeedback', 'blockReason')),
    response_id: textOf(field(response, 'responseId')) ?? textOf(field(body, 'traceId')),
    conversation_id: textOf(field(request, 'session_id')),
  };
}

/** The Live API names the model as a resource: `models/…` or `projects/…/models/…`. */
const modelNamed = (name: string | null): string | null =>
  name && textOf(name.slice(name.lastIndexOf('/') + 1));

/** What was said in the turns of a conversation with the Live API. */
const transcripts = (candidates: readonly unknown[], side: string): string[] =>
  candidates.flatMap((candidate) => textOf(field(candidate, side, 'text')) ?? []);

/** Thoughts are parts of the response, marked by a flag. */
const visibleText = (part: unknown): string | null =>
  field(part, 'thought') === true ? null : textOf(field(part, 'text'));

/** Functions by name, Google's own tools by the member that enables them. */
function toolNames(tool: unknown): string[] {
  if (typeof tool !== 'object' || tool === null) return [];
  const functions = listOf(
    field(tool, 'functionDeclarations') ?? field(tool, 'function_declarations'),
  );
  const names = functions.flatMap((declared) => textOf(field(declared, 'name')) ?? []);
  return names.length > 0 ? names : Object.keys(tool);
}

/** The prompt count includes cached tokens. The count of the candidates, which the Live API
 * calls the response, excludes thoughts. */
function geminiTokens(usage: unknown): Partial<Description> {
  const count = (name: string): number | null => countOf(field(usage, name));
  return {
    tokens_in: sumOf(count('promptTokenCount'), count('toolUsePromptTokenCount')),
    tokens_out: sumOf(
      count('candidatesTokenCount') ?? count('responseTokenCount'),
      count('thoughtsTokenCount'),
    ),
    tokens_cached: count('cachedContentTokenCount'),
    tokens_reasoning: count('thoughtsTokenCount'),
  };
}
