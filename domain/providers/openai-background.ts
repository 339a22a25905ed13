import type { Api } from './api.ts';
import { field, textOf } from './json-fields.ts';
import { describeResponse, openAiResponses } from './openai-responses.ts';

/**
 * A response that OpenAI created in the background, fetched when it has ended: the request that
 * created it got none of its output and usage. Apps may fetch it any number of times before.
 *
 * Source: https://platform.openai.com/docs/guides/background
 */
export const openAiBackground: Api = {
  id: 'openai-background',
  provider: 'OpenAI',
  path: /\/responses\/resp_[^/]+$/,
  isRequest: () => false,
  isResponse: (value) => field(value, 'background') === true && !isUnfinished(statusOf(value)),
  joinStream: (events) => openAiResponses.joinStream(events),
  describe: (_call, response) => describeResponse(undefined, response),
};

const statusOf = (response: unknown): string | null => textOf(field(response, 'status'));

/** Whether OpenAI has not ended a response yet. */
export const isUnfinished = (status: string | null): boolean =>
  status === 'queued' || status === 'in_progress';
