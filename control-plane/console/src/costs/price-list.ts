import { t } from '@lingui/core/macro';
import type { ModelPrice } from '../data/settings-sources.ts';
import { formatShortMoney } from '../format.ts';
import { numberLocale } from '../language/locales.ts';

export const sourceNames: Record<ModelPrice['source'], string> = {
  override: t`Own price`,
  file: t`Operator’s file`,
  table: t`Price table`,
};

/** The prices whose model or provider contains the text; own prices first. */
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

/** A rate of a form: undefined if it is not a number that the service takes. */
export function rateOf(text: string): number | undefined {
  const rate = Number(text);
  return text.trim() !== '' && rate >= 0 && rate <= 1_000_000 ? rate : undefined;
}

/** A rate in dollars, with as many decimals as it has; large ones are shortened. */
export const formatRate = (rate: number): string =>
  rate >= 10_000
    ? formatShortMoney(rate)
    : `$${rate.toLocaleString(numberLocale, { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;
