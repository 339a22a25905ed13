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
import { images } from './images.ts';
import { mistralConversations } from './mistral-conversations.ts';
import { ollama } from './ollama.ts';
import { openAiBackground } from './openai-background.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiCompletions } from './openai-completions.ts';
import { openAiRealtime } from './openai-realtime.ts';
import { openAiResponses } from './openai-responses.ts';
import { plainPath } from './plain-path.ts';

/** All supported APIs. The first match wins. */
export const apis: readonly Api[] = [
  chatGpt,
  claudeAi,
  amazonQ,
  openAiChat,
  openAiResponses,
  openAiBackground,
  openAiRealtime,
  mistralConversations,
  anthropicMessages,
  gemini,
  bedrockConverse,
  bedrockInvoke,
  ollama,
  cohere,
  openAiCompletions,
  embeddings,
  images,
];

/**
 * The API of a call and its responses (a body, or the events of a stream). If host and path match,
 * the request or a response must have the API's format. Otherwise, for example behind a gateway
 * with its own paths, both must.
 */
export function apiOf(call: Call, responses: readonly unknown[]): Api | undefined {
  const { path, request } = call;
  const host = normalizeHost(call.host);
  const matchesResponse = (api: Api): boolean =>
    responses.some((response) => api.isResponse(response));
  const matchesRequest = (api: Api): boolean => request !== undefined && api.isRequest(request);
  const candidates = apis.filter((api) => matchesUrl(api, host, path));
  return (
    candidates.find(matchesRequest) ??
    candidates.find(matchesResponse) ??
    apis.find((api) => !api.host && matchesRequest(api) && matchesResponse(api))
  );
}

/** The API by host and path alone, before any body is available. */
export const apiOfUrl = (host: string, path: string): Api | undefined =>
  apis.find((api) => matchesUrl(api, normalizeHost(host), path));

/** Some servers decode all escapes of a path before they split it. */
const matchesUrl = ({ host: hosts, path: paths }: Api, host: string, path: string): boolean =>
  (hosts?.test(host) ?? true) &&
  (paths.test(plainPath(path)) || paths.test(plainPath(path.replaceAll(/%2f/gi, '/'))));
