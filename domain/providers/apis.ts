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

/** Every API that is understood. The first that an exchange fits is the one. */
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
 * The API that a call and what was answered (a body, or the events of a stream) are of: by host
 * and path, where the request or the answer has its shape; elsewhere, as behind a gateway with
 * paths of its own, where both have.
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

/** The API by host and path alone, before anything of a body is known. */
export const apiServing = (host: string, path: string): Api | undefined =>
  apis.find((api) => serves(api, normalizeHost(host), path));

const serves = ({ host: hosts, path: paths }: Api, host: string, path: string): boolean =>
  (hosts?.test(host) ?? true) && paths.test(path);
