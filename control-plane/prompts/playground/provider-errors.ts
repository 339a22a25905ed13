import { ApiError } from '#contract/errors.ts';
import type { Config } from '../../config.ts';

const LONGEST_MESSAGE = 500;

/** What both libraries' errors have in common. */
interface ProviderError {
  status?: number | undefined;
  headers?: Headers | undefined;
  /** The provider's answer: Anthropic's holds one more `error` within. */
  error?: string | { message?: unknown; error?: { message?: unknown } };
  message?: string;
  cause?: unknown;
}

/** What a provider's error means for whoever asked. The key is in no message. */
export function providerRefusal(error: unknown, model: string, llm: Config['llm']): ApiError {
  const given = error as ProviderError;
  const said = messageOf(given, llm);
  const refuse = (code: ApiError['code'], message: string, details = {}): ApiError =>
    new ApiError(code, message, details, { cause: error });
  switch (given.status) {
    case undefined:
      return refuse('bad_gateway', withoutStatus(given, said, llm));
    case 200:
      return refuse('bad_gateway', `the model provider answered with an error: ${said}`);
    case 401:
      return refuse(
        'bad_gateway',
        llm.apiKey
          ? 'the model provider refused LLM_API_KEY'
          : 'the model provider wants a key: LLM_API_KEY is not set',
      );
    case 404:
      return refuse('not_found', `the model provider has no model "${model}": ${said}`);
    case 408:
      return refuse('gateway_timeout', `the model provider gave up: ${said}`);
    case 429:
      return refuse('rate_limited', `the model provider refuses more for now: ${said}`, {
        ...retryAfter(given.headers),
      });
    default:
      return given.status >= 500 || given.status === 402 || given.status === 403
        ? refuse('bad_gateway', `the model provider failed (${given.status}): ${said}`)
        : refuse('bad_request', `the model provider refused the request: ${said}`);
  }
}

export const tooSlow = ({ timeoutSeconds }: Config['llm']): ApiError =>
  new ApiError(
    'gateway_timeout',
    `the model provider did not finish within ${timeoutSeconds} seconds (LLM_TIMEOUT_SECONDS)`,
  );

/** No answer at all, one that is not as it should be, or one that broke off. */
function withoutStatus({ error, cause }: ProviderError, said: string, llm: Config['llm']): string {
  if (error) return `the model provider broke off: ${said}`;
  const code = codeOf(cause);
  if (!code) return `the model provider's answer is not usable: ${said}`;
  const host = llm.baseUrl ? new URL(llm.baseUrl).host : 'its usual address';
  return `talking to the model provider at ${host} failed: ${code} (LLM_BASE_URL)`;
}

/** The system's name of a failed connection, wherever in the chain of causes it is. */
function codeOf(cause: unknown): string | undefined {
  for (let at = cause; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}

function messageOf({ error, message }: ProviderError, { apiKey }: Config['llm']): string {
  const told =
    typeof error === 'string' ? [error] : [error?.error?.message, error?.message, message];
  const said = told.find((text) => typeof text === 'string') ?? 'nothing more is known';
  return (apiKey ? said.replaceAll(apiKey, '…') : said).slice(0, LONGEST_MESSAGE);
}

function retryAfter(headers: Headers | undefined): { retry_after?: number } {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retry_after: Math.ceil(seconds) } : {};
}
