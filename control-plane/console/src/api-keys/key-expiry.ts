import { t } from '@lingui/core/macro';
import { DAY_MS } from '#lib/time-units.ts';
import { fromLocal } from '../time-range.ts';

/** Names of the fields, and the choice of a date. */
export const EXPIRY = 'expiry';
export const EXPIRY_DATE = 'expiry_date';
export const ON_DATE = 'date';

/** Days, by the value of the choice; an empty one is never. */
export const lifetimes = [
  ['', t`Never`],
  ['7', t`In 7 days`],
  ['30', t`In 30 days`],
  ['90', t`In 90 days`],
  ['365', t`In 1 year`],
  [ON_DATE, t`On a date…`],
] as const;

/** The chosen expiry in ISO 8601; undefined if the key does not expire. */
export function expiryOf(form: Pick<FormData, 'get'>, now: number): string | undefined {
  const [choice, date] = [form.get(EXPIRY), form.get(EXPIRY_DATE)];
  if (choice === ON_DATE) return typeof date === 'string' ? fromLocal(date) : undefined;
  const days = Number(choice);
  return days > 0 ? new Date(now + days * DAY_MS).toISOString() : undefined;
}
