import {
  ALNUM,
  ANY_HEX,
  BASE64,
  exact,
  exactRandom,
  format,
  HEX,
  type KeyFormat,
  LOWER,
  separate,
  URL_SAFE,
  URL_SAFE_PADDED,
  UUID,
  WORD,
} from './key-format.ts';

/** Any visible character except quotes and the backslash. */
const SYMBOLS = '!#-&(-[\\]-_a-~';

/** Payments, banks and shops. */
export const paymentKeys: readonly KeyFormat[] = [
  format(
    'Stripe',
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_',
    [[ALNUM, 10, 200]],
    'gitleaks stripe-access-token',
  ),
  format('Stripe', 'whsec_', [[BASE64, 20, 200]], 'docs.stripe.com/webhooks'),
  format('Square', 'EAAA sq0atp- sq0csp-', [[URL_SAFE, 22, 60]], 'gitleaks square-access-token'),
  format(
    'Shopify',
    'shpat_ shpca_ shppa_ shpss_',
    [[ANY_HEX, 32]],
    'gitleaks shopify-access-token',
  ),
  format('Shippo', 'shippo_live_ shippo_test_', [[ANY_HEX, 40]], 'gitleaks shippo-api-token'),
  format(
    'Duffel',
    'duffel_test_ duffel_live_',
    [[URL_SAFE_PADDED, 43]],
    'gitleaks duffel-api-token',
  ),
  format(
    'Mercado Pago',
    'APP_USR- TEST-',
    [['0-9', 13, 20], '-', ['0-9', 6], '-', [HEX, 32], '-', ['0-9', 5, 12]],
    'keys in public code',
  ),
  format('EasyPost', 'EZAK EZTK', [[ALNUM, 54]], 'gitleaks easypost-api-token'),
  format(
    'Flutterwave',
    'FLWSECK_TEST- FLWSECK-',
    [[LOWER, 12, 34]],
    'gitleaks flutterwave-secret-key',
  ),
  separate(
    format(
      'GoCardless, Lob',
      'live_ test_',
      [[LOWER, 35]],
      'gitleaks gocardless-api-token, lob-api-key',
    ),
  ),
  separate(format('GoCardless', 'live_', [[URL_SAFE_PADDED, 40]], 'gitleaks gocardless-api-token')),
  format(
    'Plaid',
    'access-sandbox- access-development- access-production-',
    [[HEX, 8], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 12]],
    'gitleaks plaid-api-token',
  ),
  exactRandom(
    'Mollie',
    'live_ test_',
    [[ALNUM, 30, 60]],
    'mollie/mollie-api-php@53e49e71 src/Http/Auth/TokenValidator.php',
  ),
  format(
    'Adyen',
    'AQE',
    [
      [ALNUM, 1, 8],
      'hm',
      ['A-Za-z0-9+/', 60, 180],
      ['=', 0, 2],
      '-',
      ['A-Za-z0-9+/', 43],
      '=-',
      [SYMBOLS, 0, 16],
    ],
    'docs.adyen.com/development-resources/api-authentication; lengths in public code',
  ),
  exact('Razorpay', 'rzp_live_ rzp_test_', [[ALNUM, 14]], 'titus razorpay'),
  format(
    'Paddle',
    'pdl_live_apikey_ pdl_sdbx_apikey_',
    [[LOWER, 26], '_', [ALNUM, 22], '_', [ALNUM, 3]],
    'betterleaks paddle',
  ),
  format('Stripe, organization', 'sk_org_', [[WORD, 20, 200]], 'docs.stripe.com/keys'),
  format('Asaas', 'aact_prod_ aact_hmlg_', [[URL_SAFE, 20, 300]], 'betterleaks asaas'),
  exact('Pagar.me', 'ak_live_', [[ALNUM, 30]], 'trufflehog pagarme'),
  format('Ramp', 'ramp_sec_', [[ALNUM, 48]], 'trufflehog ramp'),
  format(
    'Mercury',
    'mercury_production_',
    [['a-z', 3, 6], '_', [ALNUM, 40, 50]],
    'betterleaks mercury',
  ),
  format(
    'Persona',
    'persona_production_ persona_sandbox_',
    [[URL_SAFE, 20, 80]],
    'betterleaks persona',
  ),
  format('Polar', 'polar_at_ polar_oat_ polar_pat_', [[URL_SAFE, 20, 100]], 'betterleaks polar'),
  format('Robinhood', 'rh-api-', UUID, 'trufflehog robinhoodcrypto'),
];
