import type { AddOnCode } from '#contract/route.ts';
import { ApiError } from '#contract/errors.ts';

interface AddOnOffer {
  code: AddOnCode;
  name: string;
  description: string;
  /** In US cents per month. */
  price_cents: number;
}

export const addOns: readonly AddOnOffer[] = [
  {
    code: 'sso',
    name: 'Single sign-on',
    description: 'Users sign in with the company’s own OpenID Connect provider',
    price_cents: 9900,
  },
  {
    code: 'audit_export',
    name: 'Audit export',
    description: 'The audit log as a file, for any period',
    price_cents: 4900,
  },
  {
    code: 'insights',
    name: 'Insights',
    description: 'Incidents of the tenant and its descendants in the Compliance Console',
    price_cents: 14900,
  },
];

/**
 * Parses an add-on code.
 *
 * @throws ApiError `not_found`
 */
export function addOnCode(value: string): AddOnCode {
  const code = addOns.find((addOn) => addOn.code === value)?.code;
  if (code) return code;
  const codes = addOns.map((addOn) => addOn.code).join(', ');
  throw new ApiError(
    'not_found',
    `add_on_code: unknown add-on ${JSON.stringify(value)}: expected one of ${codes}`,
  );
}
