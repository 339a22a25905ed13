import type { ApiError } from '#contract/errors.ts';
import type { PlaygroundEvent, PlaygroundResult, Variant } from '#contract/playground.ts';
import type { CompiledPrompt } from '#contract/prompt-template.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { openProvider } from './describe-provider.ts';
import type { Completion, ModelRequest } from './model-provider.ts';
import { providerRefusal, timedOut } from './provider-errors.ts';
import { settingsFor } from './settings.ts';

/** A prompt with its variables filled in, and the config to run it with. */
export interface PlaygroundRequest extends CompiledPrompt {
  config: Variant['config'];
}

export interface Requester {
  tenantId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Runs a prompt on the configured provider.
 *
 * @throws ApiError
 */
export async function runModel(
  context: Context,
  prompt: PlaygroundRequest,
  requester: Requester,
): Promise<PlaygroundResult> {
  const provider = await openProvider(context.config);
  const attempt = await startAttempt(context, prompt, requester);
  try {
    return attempt.result(await provider.complete(attempt.request, attempt.signal));
  } catch (error) {
    throw attempt.refusal(error);
  }
}

/**
 * Runs a prompt like `runModel`, but yields deltas followed by the whole result.
 *
 * @throws ApiError
 */
export async function* streamModel(
  context: Context,
  prompt: PlaygroundRequest,
  requester: Requester,
): AsyncGenerator<PlaygroundEvent> {
  const provider = await openProvider(context.config);
  const attempt = await startAttempt(context, prompt, requester);
  try {
    const pieces = provider.stream(attempt.request, attempt.signal);
    let next = await pieces.next();
    for (; !next.done; next = await pieces.next()) yield { delta: next.value };
    yield attempt.result(next.value);
  } catch (error) {
    throw attempt.refusal(error);
  }
}

async function startAttempt(
  context: Context,
  prompt: PlaygroundRequest,
  { tenantId, signal }: Requester,
) {
  const { llm } = context.config;
  const { content, missing_variables, config } = prompt;
  const priceOf = await context.pricerOf(tenantId);
  const deadline = AbortSignal.timeout(llm.timeoutSeconds * 1000);
  const { model, temperature, max_tokens } = config;
  const { settings, ignored } = settingsFor(llm.provider, config);
  const startedAt = context.now();
  const request: ModelRequest = {
    model,
    temperature,
    max_tokens,
    settings,
    messages: typeof content === 'string' ? [{ role: 'user', content }] : content,
  };
  return {
    request,
    signal: AbortSignal.any([deadline, signal]),
    result: ({ output, tool_calls, usage, ignored_settings }: Completion): PlaygroundResult => ({
      output,
      model,
      tokens_in: usage.tokens_in,
      tokens_out: usage.tokens_out,
      cost: priceOf({ model, provider: pricingProvider(llm), ...usage }, startedAt).cost,
      latency_ms: millisecondsSince(startedAt, context),
      missing_variables,
      ignored_settings: [...ignored, ...ignored_settings],
      tool_calls,
    }),
    refusal: (error: unknown): ApiError =>
      deadline.aborted ? timedOut(llm) : providerRefusal(error, model, llm),
  };
}

/** Returns the time since a start; at least 0, because the system clock can be set back. */
export const millisecondsSince = (startedAt: number, context: Context): number =>
  Math.max(0, context.now() - startedAt);

/**
 * Returns the provider for pricing. It is null for a custom base URL, in which case the price
 * depends only on the model's name.
 */
const pricingProvider = ({ baseUrl, provider }: Config['llm']): string | null =>
  baseUrl ? null : provider;
