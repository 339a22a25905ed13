import type { playgroundRoutes } from '#contract/playground.ts';
import type { Handlers } from '../../http/handler.ts';
import { compareVariant } from './compare.ts';
import { compileVariant } from './compile.ts';
import { openProvider } from './provider.ts';
import { askModel, streamModel } from './run.ts';

export const playgroundHandlers: Handlers<typeof playgroundRoutes> = {
  runPlayground: (context, { caller, body, gone }) =>
    (body.stream ? streamModel : askModel)(
      context,
      { ...compileVariant(body), config: body.config },
      { tenantId: caller.tenantId, gone: gone() },
    ),

  async comparePlayground(context, { caller, body, gone, refusalOf }) {
    // Without a provider nothing was asked: that is one refusal, not one for each variant.
    await openProvider(context.config);
    const asker = { tenantId: caller.tenantId, gone: gone() };
    const results = body.variants.map((variant) =>
      compareVariant(context, variant, asker, refusalOf),
    );
    return { results: await Promise.all(results) };
  },
};
