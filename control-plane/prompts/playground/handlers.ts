import { ApiError } from '#contract/errors.ts';
import type { playgroundRoutes, Variant } from '#contract/playground.ts';
import { compilePrompt } from '#contract/prompt-template.ts';
import type { Context } from '../../context.ts';
import type { Handlers } from '../../http/call.ts';
import { openProvider } from './provider.ts';
import { type Asker, runVariant, streamVariant } from './run.ts';

export const playgroundHandlers: Handlers<typeof playgroundRoutes> = {
  runPlayground: (context, { caller, body, gone }) =>
    (body.stream ? streamVariant : runVariant)(context, body, {
      tenantId: caller.tenantId,
      gone: gone(),
    }),

  async comparePlayground(context, { caller, body, gone }) {
    // Without a provider nothing was asked: that is one refusal, not one for each variant.
    await openProvider(context.config);
    const asker = { tenantId: caller.tenantId, gone: gone() };
    const results = body.variants.map((variant) => runForComparison(context, variant, asker));
    return { results: await Promise.all(results) };
  },
};

/** A variant that fails says why in its place. */
async function runForComparison(context: Context, variant: Variant, asker: Asker) {
  try {
    return { ...(await runVariant(context, variant, asker)), error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const nothing = { output: '', tokens_in: 0, tokens_out: 0, cost: 0, latency_ms: 0 };
    return {
      ...nothing,
      model: variant.config.model,
      missing_variables: compilePrompt(variant.content, variant.variables).missing_variables,
      ignored_settings: [],
      error: error.message,
    };
  }
}
