import { ApiError } from '#contract/errors.ts';
import type { PlaygroundEvent, PlaygroundResult, Variant } from '#contract/playground.ts';
import type { CompiledPrompt } from '#contract/prompt-template.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { type Completion, type ModelRequest, openProvider } from './provider.ts';
import { providerRefusal, tooSlow } from './provider-errors.ts';
import { settingsFor } from './settings.ts';

/** A prompt with its variables put in, and what to ask with it. */
export interface PlaygroundRequest extends CompiledPrompt {
  config: Variant['config'];
}

export interface Asker {
  tenantId: string;
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** Asks the configured provider. @throws ApiError */
export async function askModel(
  context: Context,
  question: PlaygroundRequest,
  asker: Asker,
): Promise<PlaygroundResult> {
  const provider = await openProvider(context.config);
  const attempt = await startAttempt(context, question, asker);
  try {
    return attempt.result(await provider.complete(attempt.request, attempt.signal));
  } catch (error) {
    throw attempt.refusal(error);
  }
}

/** The same in pieces, and last the whole result. @throws ApiError */
export async function* streamModel(
  context: Context,
  question: PlaygroundRequest,
  asker: Asker,
): AsyncGenerator<PlaygroundEvent> {
  const provider = await openProvider(context.config);
  const attempt = await startAttempt(context, question, asker);
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
  question: PlaygroundRequest,
  { tenantId, gone }: Asker,
) {
  const { llm } = context.config;
  const { content, missing_variables, config } = question;
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
    signal: AbortSignal.any([deadline, gone]),
    result: ({ output, usage, ignored_settings }: Completion): PlaygroundResult => ({
      output,
      model,
      tokens_in: usage.tokens_in,
      tokens_out: usage.tokens_out,
      cost: priceOf({ model, provider: hostOf(llm), ...usage }, startedAt).cost,
      latency_ms: millisecondsSince(startedAt, context),
      missing_variables,
      ignored_settings: [...ignored, ...ignored_settings],
    }),
    refusal: (error: unknown): ApiError =>
      deadline.aborted ? tooSlow(llm) : providerRefusal(error, model, llm),
  };
}

/** The clock of a machine can be set back. */
export const millisecondsSince = (startedAt: number, context: Context): number =>
  Math.max(0, context.now() - startedAt);

/** Whose prices hold. Behind another address may be anybody: then the model's name must tell. */
const hostOf = ({ baseUrl, provider }: Config['llm']): string | null => (baseUrl ? null : provider);
