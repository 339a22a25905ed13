import type { playgroundRoutes } from '#contract/playground.ts';
import type { Handlers } from '../handler.ts';
import { compareVariant, compileVariant } from './compare.ts';
import { describeProvider, openProvider } from './describe-provider.ts';
import { runModel, streamModel } from './run.ts';

export const playgroundHandlers: Handlers<typeof playgroundRoutes> = {
  getPlaygroundProvider: ({ config }, { disconnectSignal }) =>
    describeProvider(config, disconnectSignal()),

  runPlayground: (context, { caller, body, disconnectSignal }) =>
    (body.stream ? streamModel : runModel)(
      context,
      { ...compileVariant(body), config: body.config },
      { tenantId: caller.tenantId, signal: disconnectSignal() },
    ),

  async comparePlayground(context, { caller, body, disconnectSignal, refusalOf }) {
    // Without a provider, the request fails once, and not once per variant.
    await openProvider(context.config);
    const requester = { tenantId: caller.tenantId, signal: disconnectSignal() };
    const results = body.variants.map((variant) =>
      compareVariant(context, variant, requester, refusalOf),
    );
    return { results: await Promise.all(results) };
  },
};
