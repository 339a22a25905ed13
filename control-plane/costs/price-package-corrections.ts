import type { ModelPrice, Provider } from '@pydantic/genai-prices';

/** A published price that is missing in the package. */
interface Correction {
  provider: string;
  model: string;
  prices: ModelPrice;
}

const above200k = (base: number, price: number) => ({ base, tiers: [{ start: 200_000, price }] });

/**
 * Above 200,000 input tokens, including cached ones, Anthropic charges the same for Claude Sonnet 4
 * as for Claude Sonnet 4.5: https://docs.claude.com/en/docs/about-claude/pricing (long context
 * pricing). Google and OpenRouter sell both models at these prices. The package has the tier for
 * Sonnet 4.5 only.
 */
const SONNET_4: ModelPrice = {
  input_mtok: above200k(3, 6),
  cache_write_mtok: above200k(3.75, 7.5),
  cache_read_mtok: above200k(0.3, 0.6),
  output_mtok: above200k(15, 22.5),
};

export const corrections: readonly Correction[] = [
  { provider: 'anthropic', model: 'claude-sonnet-4-0', prices: SONNET_4 },
  { provider: 'google', model: 'claude-4-sonnet', prices: SONNET_4 },
  { provider: 'openrouter', model: 'anthropic/claude-sonnet-4', prices: SONNET_4 },
];

/** Applies our corrections to the package's providers. Other prices are unchanged. */
export const withCorrections = (providers: readonly Provider[]): Provider[] =>
  providers.map((provider) => ({
    ...provider,
    models: provider.models.map((model) => {
      const correction = corrections.find(
        (one) => one.provider === provider.id && one.model === model.id,
      );
      if (!correction) return model;
      const { prices } = model;
      return {
        ...model,
        prices: { ...(Array.isArray(prices) ? {} : prices), ...correction.prices },
      };
    }),
  }));
