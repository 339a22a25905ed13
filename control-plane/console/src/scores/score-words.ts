import { t } from '@lingui/core/macro';
import type { ListedScore } from '../data/score-sources.ts';
import { NONE } from '../format.ts';
import { numberLocale } from '../language/locales.ts';

export const sourceNames = { sdk: 'SDK', manual: t`Person`, evaluator: t`Evaluator` } as const;

export const typeNames = {
  numeric: t`Number`,
  categorical: t`Category`,
  boolean: t`True or false`,
} as const;

type Value = Pick<ListedScore, 'numeric_value' | 'string_value'>;

export const valueOf = ({ numeric_value, string_value }: Value): string =>
  numeric_value === null ? (string_value ?? NONE) : String(numeric_value);

/** Formats an average, which may have any number of digits. */
export const formatAverage = (average: number): string =>
  average.toLocaleString(numberLocale, { maximumSignificantDigits: 4 });
