import type { Region } from '#contract/enterprise.ts';

/** Regions in which data may reside, with their monthly price and the regulations they satisfy. */
export const regions: readonly [Region, ...Region[]] = [
  { code: 'us-east', name: 'US East (Virginia)', price_cents: 0, compliance: ['SOC 2', 'HIPAA'] },
  { code: 'us-west', name: 'US West (Oregon)', price_cents: 0, compliance: ['SOC 2', 'HIPAA'] },
  {
    code: 'eu-central',
    name: 'EU Central (Frankfurt)',
    price_cents: 4900,
    compliance: ['SOC 2', 'GDPR', 'C5'],
  },
  {
    code: 'eu-west',
    name: 'EU West (Dublin)',
    price_cents: 4900,
    compliance: ['SOC 2', 'GDPR'],
  },
  {
    code: 'uk-south',
    name: 'UK South (London)',
    price_cents: 4900,
    compliance: ['SOC 2', 'UK GDPR'],
  },
  {
    code: 'ca-central',
    name: 'Canada Central (Montreal)',
    price_cents: 4900,
    compliance: ['SOC 2', 'PIPEDA'],
  },
  {
    code: 'ap-southeast',
    name: 'Asia Pacific Southeast (Singapore)',
    price_cents: 6900,
    compliance: ['SOC 2', 'PDPA'],
  },
  {
    code: 'ap-northeast',
    name: 'Asia Pacific Northeast (Tokyo)',
    price_cents: 6900,
    compliance: ['SOC 2', 'APPI'],
  },
];

/** The region that applies if neither the tenant nor an ancestor has chosen one. */
export const [usualRegion] = regions;

export const regionOf = (code: string): Region | undefined =>
  regions.find((region) => region.code === code);
