import {
  field,
  addTool,
  type CallReader,
  list,
  number,
  readerOf,
  type ReadState,
  text,
} from './call-reader.ts';
import { observeMethod, type WrapOptions, callObserver } from './observe-method.ts';

/**
 * Reads content that Gemini generated (`GenerateContentResponse`). Tokens of thoughts are not
 * included in those of the candidates, and both are output tokens.
 */
export const generatedContentReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'contents'),
    update: (state, value) => {
      state.model = text(field(value, 'modelVersion')) || state.model;
      state.id = text(field(value, 'responseId')) || state.id;
      state.usage = field(value, 'usageMetadata') ?? state.usage;
      const candidate = field(value, 'candidates', 0);
      state.finishReason = text(field(candidate, 'finishReason')) || state.finishReason;
      for (const part of list(field(candidate, 'content', 'parts'))) readPart(state, part);
    },
    tokens: (usage) => {
      const thoughts = number(field(usage, 'thoughtsTokenCount'));
      const ofTools = number(field(usage, 'toolUsePromptTokenCount'));
      return {
        tokensIn: number(field(usage, 'promptTokenCount')) + ofTools,
        tokensOut: number(field(usage, 'candidatesTokenCount')) + thoughts,
        cacheReadTokens: number(field(usage, 'cachedContentTokenCount')),
        ...(thoughts > 0 && { reasoningTokens: thoughts }),
      };
    },
  });

/** Reads a part. Summaries of thoughts are not part of the response. */
function readPart(state: ReadState, part: unknown): void {
  if (field(part, 'thought') !== true) state.response += text(field(part, 'text'));
  const call = field(part, 'functionCall');
  if (call)
    addTool(state, state.tools.size, {
      id: field(call, 'id'),
      name: field(call, 'name'),
      arguments: field(call, 'args'),
    });
}

/** Reads embeddings. They have no usage on the Gemini API, and one per content on Vertex AI. */
export const embeddedContentReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'contents'),
    update: (state, value) => {
      state.usage = list(field(value, 'embeddings'))
        .map((embedding) => number(field(embedding, 'statistics', 'tokenCount')))
        .reduce((sum, tokens) => sum + tokens, 0);
    },
    tokens: (usage) => ({ tokensIn: number(usage), tokensOut: 0 }),
  });

/**
 * Records content that a client of `@google/genai` generates or embeds as LLM calls, including
 * chats. Modifies the client in place and returns it.
 */
export function wrapGemini<T extends object>(client: T, options: WrapOptions = {}): T {
  const watching = callObserver({ provider: 'google', ...options });
  const models = field(client, 'models');
  for (const method of ['generateContent', 'generateContentStream'])
    observeMethod(models, method, (body) => watching(body, generatedContentReader(body)));
  observeMethod(models, 'embedContent', (body) => watching(body, embeddedContentReader(body)));
  return client;
}
