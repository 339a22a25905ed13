import { t } from '@lingui/core/macro';
import { DAY_MS } from '#lib/time-units.ts';
import { fromLocal } from '../time-range.ts';
import type { ApiKey } from '../data/api-key-sources.ts';

/** Names of the form fields: the choice, and the date for the choice of a date. */
export const EXPIRY = 'expiry';
export const EXPIRY_DATE = 'expiry_date';
export const ON_DATE = 'date';

/** The choices as values and labels. A value is a number of days; the empty one never expires. */
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

type KeyValidity = { isValid: true } | { isValid: false; end: 'Revoked' | 'Expired'; at: string };

/** Whether a key is valid at `now` (epoch milliseconds) and, if not, why and since when. */
export function validityOf(
  key: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): KeyValidity {
  const { revoked_at, expires_at } = key;
  if (revoked_at !== null) return { isValid: false, end: 'Revoked', at: revoked_at };
  if (expires_at !== null && Date.parse(expires_at) <= now)
    return { isValid: false, end: 'Expired', at: expires_at };

  return { isValid: true };
}
