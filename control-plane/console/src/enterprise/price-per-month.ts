import { t } from '@lingui/core/macro';
import { formatMoney } from '../format.ts';

/** `$99.00 a month`. */
export const pricePerMonth = (cents: number): string =>
  cents === 0 ? t`Included` : t`${formatMoney(cents / 100)} a month`;
