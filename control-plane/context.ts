import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { LoadPrices, Pricer } from './costs/price.ts';
import type { FindKey } from './identity/api-keys/api-key-cache.ts';
import type { Governance } from './policy/governance.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Masker } from './masking/masker.ts';
import type { Recorder } from './recording/recorder.ts';
import type { Secrets } from './startup/secrets.ts';
import type { Shutdown } from './startup/shutdown.ts';
import type { Storage } from './storage/open.ts';

/** Dependencies of handlers. Time and ids are injected, so that tests can control them. */
export interface Context {
  config: Config;
  storage: Storage;
  recorder: Recorder;
  governance: Governance;
  findKey: FindKey;
  prices: LoadPrices;
  /** Prices LLM calls of a tenant. */
  pricerOf: (tenantId: string) => Promise<Pricer>;
  /** Masks recorded content of a tenant before it is stored. */
  maskerOf: (tenantId: string) => Promise<Masker>;
  secrets: Secrets;
  shutdown: Shutdown;
  metrics: Metrics;
  log: Logger;
  now(): number;
  newId(prefix: string): string;
  /** Base URLs given to clients, devices and profiles. */
  urls: { public: string; device: string };
}
