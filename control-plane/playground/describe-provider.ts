import { ApiError } from '#contract/errors.ts';
import type { PlaygroundProvider } from '#contract/playground.ts';
import type { Config } from '../config.ts';
import type { Provider } from './model-provider.ts';
import { providerRefusal } from './provider-errors.ts';

/**
 * Returns the configured provider. The libraries are loaded on first use, because at startup they
 * would cost half a second and fifty megabytes.
 *
 * @throws ApiError `bad_request` that names the missing setting
 */
export async function openProvider({ llm }: Config): Promise<Provider> {
  // This is longer than the deadline of a request, which has its own error.
  const access = { ...llm, timeoutMs: llm.timeoutSeconds * 2000 };
  if (llm.provider === 'anthropic') {
    if (!llm.apiKey) throw notConfigured('LLM_API_KEY is not set');
    return (await import('./anthropic.ts')).anthropicProvider(access);
  }
  // A local model server often needs no key.
  if (!llm.apiKey && !llm.baseUrl)
    throw notConfigured('neither LLM_API_KEY nor, for a server without a key, LLM_BASE_URL is set');
  return (await import('./openai.ts')).openAiProvider(access);
}

const notConfigured = (reason: string): ApiError =>
  new ApiError('model_provider_not_configured', `no model provider is configured: ${reason}`);

const defaultHosts: Record<Config['llm']['provider'], string> = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
};

/**
 * The timeout for the list of models. The list is a convenience, so the page must not wait for it
 * as long as for a model.
 */
const TIMEOUT_MS = 5000;

/**
 * Describes the configured provider with its models. A problem with the provider becomes part of
 * the result.
 */
export async function describeProvider(
  config: Config,
  signal: AbortSignal,
): Promise<PlaygroundProvider> {
  const { llm } = config;
  const host = llm.baseUrl ? new URL(llm.baseUrl).host : defaultHosts[llm.provider];
  const found = { provider: llm.provider, host, problem: null, models: [], models_problem: null };
  try {
    const provider = await openProvider(config);
    return { ...found, ...(await modelsOf(provider, llm, signal)) };
  } catch (error) {
    if (error instanceof ApiError) return { ...found, problem: error.message };
    throw error;
  }
}

async function modelsOf(
  provider: Provider,
  llm: Config['llm'],
  signal: AbortSignal,
): Promise<Pick<PlaygroundProvider, 'models' | 'models_problem'>> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const models = await provider.listModels(AbortSignal.any([deadline, signal]));
    return { models: models.toSorted(), models_problem: null };
  } catch (error) {
    return { models: [], models_problem: deadline.aborted ? TOO_SLOW : problemOf(error, llm) };
  }
}

const TOO_SLOW = `the model provider did not list its models within ${TIMEOUT_MS / 1000} seconds`;

/** Describes why models are not listed. Some servers have models but no list of them. */
const problemOf = (error: unknown, llm: Config['llm']): string =>
  (error as { status?: number }).status === 404
    ? 'the model provider has no list of models'
    : providerRefusal(error, '', llm).message;
