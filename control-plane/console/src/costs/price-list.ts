import { t } from '@lingui/core/macro';
import type { ModelPrice } from '../data/settings-sources.ts';
import { formatShortMoney } from '../format.ts';
import { numberLocale } from '../language/locales.ts';

export const sourceNames: Record<ModelPrice['source'], string> = {
  override: t`Custom price`,
  file: t`Operator’s file`,
  table: t`Price table`,
};

/** The prices whose model or provider contains the text, the tenant's own prices first. */
export function matchingPrices(
  prices: readonly ModelPrice[],
  text: string,
  source: string,
): ModelPrice[] {
  const wanted = text.trim().toLowerCase();
  const found = prices.filter(
    (price) =>
      (source === '' || price.source === source) &&
      `${price.provider ?? ''} ${price.model_id}`.toLowerCase().includes(wanted),
  );
  return [
    ...found.filter(({ is_override }) => is_override),
    ...found.filter(({ is_override }) => !is_override),
  ];
}

/** Parses a rate from a form; undefined if it is not a number that the service accepts. */
export function rateOf(text: string): number | undefined {
  const rate = Number(text);
  return text.trim() !== '' && rate >= 0 && rate <= 1_000_000 ? rate : undefined;
}

/** Formats a rate in dollars with two to six decimals, shortened from $10,000 up. */
export const formatRate = (rate: number): string =>
  rate >= 10_000
    ? formatShortMoney(rate)
    : `$${rate.toLocaleString(numberLocale, { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
