import type { Logger } from 'pino';
import type { CrlCache } from './authorities/crl-cache.ts';
import type { LimitChecks } from './captures/enforcement-limits.ts';
import type { Config } from './config.ts';
import type { LoadPrices, Pricer } from './costs/pricer.ts';
import type { PackageCache } from './deployment/package-file.ts';
import type { FindRecordingKey } from './recording-keys/recording-key-cache.ts';
import type { StoreBatch } from './device-reports/write.ts';
import type { LimitAttempts } from './enrollment/attempt-limits.ts';
import type { FindKey } from './identity/api-keys/api-key-cache.ts';
import type { DiscoverProvider } from './identity/oidc/discovery.ts';
import type { Governance } from './policies/governance.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Masker } from './settings/masking/masker.ts';
import type { RecordSpans } from './otel/span-recorder.ts';
import type { Notify } from './notification-event.ts';
import type { Recorder } from './recording/recorder.ts';
import type { Secrets } from './lib/secrets.ts';
import type { Shutdown } from './startup/shutdown.ts';
import type { Storage } from './storage/open.ts';
import type { InvalidTokens } from './sub-users/attempts.ts';
import type { LimitsOf } from './tenants/tenant-limits.ts';

/** Dependencies of handlers. Time and ids are injected, so that tests can control them. */
export interface Context {
  config: Config;
  storage: Storage;
  recorder: Recorder;
  /** Stores OpenTelemetry spans. */
  recordSpans: RecordSpans;
  /** Stores events that people want to be notified of, with their cause. */
  notify: Notify;
  /** Stores what devices report. */
  takeBatch: StoreBatch;
  governance: Governance;
  findKey: FindKey;
  findRecordingKey: FindRecordingKey;
  /** Quotas, suspension and parent of a tenant. */
  limitsOf: LimitsOf;
  discoverProvider: DiscoverProvider;
  crls: CrlCache;
  packages: PackageCache;
  /** Each counts in this process, and refuses what is too much. */
  rateLimits: {
    enrollment: LimitAttempts;
    policyChecks: LimitChecks;
    invalidTokens: InvalidTokens;
  };
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
