import type { ErrorReason } from '#contract/error-reasons.ts';
import { ApiError } from '#contract/errors.ts';
import type { Config } from '../config.ts';

const MAX_MESSAGE_LENGTH = 500;

/** The fields that the errors of both libraries have. */
interface ProviderError {
  status?: number | undefined;
  headers?: Headers | undefined;
  /** The provider's error response. Anthropic nests another `error` inside. */
  error?: string | { message?: unknown; error?: { message?: unknown } };
  message?: string;
  cause?: unknown;
}

/** Maps a provider's error to an API error. No message contains the key. */
export function providerRefusal(error: unknown, model: string, llm: Config['llm']): ApiError {
  const providerError = error as ProviderError;
  const detail = messageOf(providerError, llm);
  const refuse = (reason: ErrorReason, message: string, details = {}): ApiError =>
    new ApiError(reason, message, details, { cause: error });
  switch (providerError.status) {
    case undefined:
      return refuse('model_provider_failed', withoutStatus(providerError, detail, llm));
    case 200:
      return refuse('model_provider_failed', `the model provider returned an error: ${detail}`);
    case 401:
      return refuse(
        'model_provider_failed',
        llm.apiKey
          ? 'the model provider rejected LLM_API_KEY'
          : 'the model provider requires an API key: LLM_API_KEY is not set',
      );
    case 404:
      return refuse('model_not_found', `the model provider has no model "${model}": ${detail}`);
    case 408:
      return refuse('model_provider_timeout', `the model provider timed out: ${detail}`);
    case 429:
      return refuse(
        'model_provider_rate_limited',
        `the model provider's rate limit is exceeded: ${detail}`,
        {
          ...retryAfter(providerError.headers),
        },
      );
    default:
      return providerError.status >= 500 ||
        providerError.status === 402 ||
        providerError.status === 403
        ? refuse(
            'model_provider_failed',
            `the model provider failed (${providerError.status}): ${detail}`,
          )
        : refuse('model_provider_rejected', `the model provider rejected the request: ${detail}`);
  }
}

export const timedOut = ({ timeoutSeconds }: Config['llm']): ApiError =>
  new ApiError(
    'model_provider_timeout',
    `the model provider did not finish within ${timeoutSeconds} seconds (LLM_TIMEOUT_SECONDS)`,
  );

/** Describes a missing or invalid response, or an interrupted stream. */
function withoutStatus(
  { error, cause }: ProviderError,
  detail: string,
  llm: Config['llm'],
): string {
  if (error) return `the model provider aborted the response: ${detail}`;
  const code = codeOf(cause);
  if (!code) return `the model provider's response is invalid: ${detail}`;
  const host = llm.baseUrl ? new URL(llm.baseUrl).host : 'its default address';
  return `connection to the model provider at ${host} failed: ${code} (LLM_BASE_URL)`;
}

/** Returns the system's error code of a failed connection, from anywhere in the chain of causes. */
function codeOf(cause: unknown): string | undefined {
  for (let at = cause; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}

function messageOf({ error, message }: ProviderError, { apiKey }: Config['llm']): string {
  const candidates =
    typeof error === 'string' ? [error] : [error?.error?.message, error?.message, message];
  const text = candidates.find((text) => typeof text === 'string') ?? 'no details';
  return (apiKey ? text.replaceAll(apiKey, '…') : text).slice(0, MAX_MESSAGE_LENGTH);
}

function retryAfter(headers: Headers | undefined): { retry_after?: number } {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retry_after: Math.ceil(seconds) } : {};
}
