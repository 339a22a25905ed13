import { calcPrice } from '@pydantic/genai-prices';

type PriceOf = (model: string, tokensIn: number, tokensOut: number) => number | null;

/** Prices from the maintained table of the package; none are typed by hand. */
export const tablePrice: PriceOf = (model, tokensIn, tokensOut) =>
  calcPrice({ input_tokens: tokensIn, output_tokens: tokensOut }, model)?.total_price ?? null;
