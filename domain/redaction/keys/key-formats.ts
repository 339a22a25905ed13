import { cloudKeys } from './cloud-keys.ts';
import { codeHostKeys } from './code-host-keys.ts';
import { format, type KeyFormat, WORD } from './key-format.ts';
import { modelProviderKeys } from './model-provider-keys.ts';
import { paymentKeys } from './payment-keys.ts';
import { serviceKeys } from './service-keys.ts';

/**
 * Keys that can be detected without a name next to them, because they begin with a known prefix.
 *
 * - Minimum lengths are shorter than documented if the issuer has changed them before, or if a
 *   truncated key still grants access.
 * - Checksums inside keys (GitHub, npm, Grafana, Vercel) are not verified: a key with a typing error
 *   still discloses nearly all of the real one, and the prefixes are unmistakable.
 * - Keys that are public by their issuers' words are not listed: publishable keys of Stripe (`pk_`)
 *   and Flutterwave (`FLWPUBK`), public keys of Mapbox (`pk.`), Lob, Langfuse and Mailgun, project
 *   keys of PostHog (`phc_`), browser keys of New Relic (`NRJS-`), mobile keys of LaunchDarkly, and
 *   `sb_publishable_` of Supabase.
 */
export const keyFormats: readonly KeyFormat[] = [
  format('Gatehouse', 'svc_sk_ svc_su_ svc_sd_', [[WORD, 8, 200]], 'docs/identity.md'),
  ...modelProviderKeys,
  ...codeHostKeys,
  ...cloudKeys,
  ...serviceKeys,
  ...paymentKeys,
];
