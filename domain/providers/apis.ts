import { normalizeHost } from '../hosts/host-catalog.ts';
import { amazonQ } from './amazon-q.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import type { Api, Call } from './api.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { bedrockInvoke } from './bedrock-invoke.ts';
import { chatGpt } from './chatgpt.ts';
import { claudeAi } from './claude-ai.ts';
import { cohere } from './cohere.ts';
import { embeddings } from './embeddings.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiCompletions } from './openai-completions.ts';
import { openAiRealtime } from './openai-realtime.ts';
import { openAiResponses } from './openai-responses.ts';

/** All supported APIs. The first match wins. */
export const apis: readonly Api[] = [
  chatGpt,
  claudeAi,
  amazonQ,
  openAiChat,
  openAiResponses,
  openAiRealtime,
  anthropicMessages,
  gemini,
  bedrockConverse,
  bedrockInvoke,
  ollama,
  cohere,
  openAiCompletions,
  embeddings,
];

/**
 * The API of a call and its responses (a body, or the events of a stream). If host and path match,
 * the request or a response must have the API's format. Otherwise, for example behind a gateway
 * with its own paths, both must.
 */
export function apiOf(call: Call, answers: readonly unknown[]): Api | undefined {
  const { path, request } = call;
  const host = normalizeHost(call.host);
  const isAnswer = (api: Api): boolean => answers.some((answer) => api.answers(answer));
  const isAsked = (api: Api): boolean => request !== undefined && api.asks(request);
  const served = apis.filter((api) => serves(api, host, path));
  return (
    served.find(isAsked) ??
    served.find(isAnswer) ??
    apis.find((api) => !api.host && isAsked(api) && isAnswer(api))
  );
}

/** The API by host and path alone, before any body is available. */
export const apiServing = (host: string, path: string): Api | undefined =>
  apis.find((api) => serves(api, normalizeHost(host), path));

const serves = ({ host: hosts, path: paths }: Api, host: string, path: string): boolean =>
  (hosts?.test(host) ?? true) && paths.test(path);
